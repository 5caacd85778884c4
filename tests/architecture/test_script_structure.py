"""How the scripts of the browser are built: folders import each other in one direction, as those of Python do."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from pathlib import Path

from tests.architecture.sources import ROOT
from tests.architecture.test_structure import cycles

SCRIPTS = ROOT / "ui" / "session_view" / "js"
IMPORT = re.compile(r'(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}/[^"\n]+\.(?:js|d\.ts))"')
"""An import of code or of a type, in a line of code or in a comment for the type checker."""


def imported(path: Path, text: str) -> list[Path]:
    return [Path(os.path.normpath(path.parent / found)) for found in IMPORT.findall(text)]


def inside(folder: Path, imports: dict[Path, list[Path]]) -> dict[str, set[str]]:
    """What a folder holds, modules and folders, and what of that each imports."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, targets in imports.items():
        if folder not in path.parents:
            continue
        one = path.relative_to(folder).parts[0]
        others = {target.relative_to(folder).parts[0] for target in targets if folder in target.parents}
        found[one] |= others - {one}
        for other in others:
            found[other] |= set()
    return dict(found)


def test_imports_of_code_and_of_types_are_found():
    text = """
    import { a } from "./a.js";
    import {
      b,
    } from "../log/b.js";
    /** @import { C } from "./types.d.ts" */
    /** @type {import("../rows/d.d.ts").D} */
    const note = "from ./e.js";
    """
    names = [path.relative_to("/js").as_posix() for path in imported(Path("/js/list/list.js"), text)]
    assert names == ["list/a.js", "log/b.js", "list/types.d.ts", "rows/d.d.ts"]


def test_folders_that_import_each_other_are_found():
    js = Path("/js")
    imports = {js / "a" / "one.js": [js / "b" / "two.js"], js / "b" / "three.js": [js / "a" / "four.js"]}
    assert cycles(inside(js, imports)) == [["a", "b"]]


def test_no_scripts_and_no_folders_of_them_import_each_other_in_a_circle():
    files = [path for pattern in ("*.js", "*.d.ts") for path in SCRIPTS.rglob(pattern)]
    imports = {path: imported(path, path.read_text("utf-8")) for path in files}
    modules = {str(path): {str(target) for target in targets} for path, targets in imports.items()}
    assert set().union(*modules.values()) <= set(modules), "an import that names no file"
    folders = {SCRIPTS, *(path.parent for path in files)}
    circles = {str(folder.relative_to(SCRIPTS)): cycles(inside(folder, imports)) for folder in sorted(folders)}
    assert {folder: found for folder, found in circles.items() if found} == {}
    assert cycles(modules) == []
