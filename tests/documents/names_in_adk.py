"""Runs with google-adk alone: prints its names, of each module below `google.adk` the public ones and those that it defines.

To record them again, in an environment that has google-adk:

    PYTHONPATH=. python -m tests.documents.names_in_adk > tests/documents/adk_names.json
"""

from __future__ import annotations

import ast
import importlib
import json
import sys
import warnings
from pathlib import Path


def main() -> None:
    """Prints a JSON object with a line for each module."""
    warnings.simplefilter("ignore")
    folder = Path(str(importlib.import_module("google.adk").__file__)).parent
    lines: list[str] = []
    for path in sorted(folder.iterdir()):
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path] if path.suffix == ".py" else []
        if files and not path.name.startswith("_"):
            public = sorted(getattr(importlib.import_module(f"google.adk.{path.stem}"), "__all__", ()))
            defined = {name for file in files for name in defined_in(file)}
            lines.append(f'"{path.stem}": {json.dumps({"public": public, "others": sorted(defined - set(public))})}')
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


def defined_in(file: Path) -> list[str]:
    """The classes and functions of a file, without private ones."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    body = ast.parse(file.read_text(encoding="utf-8")).body
    return [node.name for node in body if isinstance(node, kinds) and not node.name.startswith("_")]


if __name__ == "__main__":
    main()
