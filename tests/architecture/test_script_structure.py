"""How the scripts of the browser are built: folders import each other in one direction, as those of Python do."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tests.architecture.import_circles import cycles, folder_cycles
from tests.architecture.sources import ROOT, shown

IMPORT = re.compile(r'(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}/[^"\n]+\.(?:js|d\.ts))"')
"""An import of code or of a type, in a line of code or in a comment for the type checker."""


def imported(path: Path, text: str) -> list[Path]:
    return [Path(os.path.normpath(path.parent / found)) for found in IMPORT.findall(text)]


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


def test_no_scripts_and_no_folders_of_them_import_each_other_in_a_circle():
    files = [path for pattern in ("*.js", "*.d.ts") for path in (ROOT / "ui").rglob(pattern)]
    imports = {shown(path): {shown(target) for target in imported(path, path.read_text("utf-8"))} for path in files}
    assert set().union(*imports.values()) <= set(imports), "an import that names no file"
    assert cycles(imports) == []
    assert folder_cycles({Path(one).parts: [Path(other).parts for other in others] for one, others in imports.items()}) == {}
