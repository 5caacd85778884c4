"""The session view's files: one module out of many, and nothing in them that would run or fetch what data says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.ui.browser.test_bundle import run
from ui.browser.bundle import bundle, modules, style_sheet

FOLDER = Path("ui/session_view").resolve()
ENTRY = FOLDER / "js" / "component.js"
KEYS = FOLDER / "js" / "page_keys.js"
SCRIPTS = sorted(FOLDER.glob("js/**/*.js"))
MOST_IN_A_FOLDER = 12
LONGEST_MODULE = 300
LONGEST_LINE = 125


def shown(path: Path) -> str:
    return str(path.relative_to(FOLDER))


def test_the_view_is_one_module_with_one_default_export(tmp_path: Path) -> None:
    joined = bundle(ENTRY)
    assert not re.search(r"^import\b", joined, re.MULTILINE)
    assert re.findall(r"^export\b.*", joined, re.MULTILINE) == [joined.rstrip().rsplit("\n", 1)[1]]
    (tmp_path / "view.mjs").write_text(joined, encoding="utf-8")
    assert run('import view from "./view.mjs";\nexport default () => typeof view;', tmp_path) == "function"


def test_every_file_is_part_of_the_view_or_of_the_keys() -> None:
    used = modules(ENTRY) | modules(KEYS)
    assert sorted(path for path in used if FOLDER in path.parents) == SCRIPTS
    whole = style_sheet(FOLDER / "css")
    assert [shown(path) for path in FOLDER.glob("css/**/*.css") if path.read_text("utf-8") not in whole] == []


def test_a_folder_is_seen_at_a_glance() -> None:
    folders = [path for path in FOLDER.glob("js/**/") if len(list(path.glob("*.js"))) > MOST_IN_A_FOLDER]
    assert [shown(path) for path in folders] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=shown)
def test_modules_are_short_and_checked(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert len(lines) <= LONGEST_MODULE
    assert [number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=shown)
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
    calls = {shown(path): re.findall(r"\bfetch\(([^)]*\))", path.read_text("utf-8")) for path in SCRIPTS}
    assert {name: found for name, found in calls.items() if found} == {"js/page/server.js": ["`${appBase()"]}


@pytest.mark.parametrize("path", sorted([*FOLDER.glob("css/*.css"), *SCRIPTS]), ids=shown)
def test_nothing_is_fetched_from_elsewhere(path: Path) -> None:
    text = re.sub(r"/\*\* @import \{[^{}]*\} from \"\.[\w./-]+\" \*/", "", path.read_text(encoding="utf-8"))  # of types
    addresses = re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"']*|url\(|@import", text)
    assert [a for a in addresses if a != "http://www.w3.org/2000/svg"] == []
