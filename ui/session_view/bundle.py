"""Joins the view's JavaScript modules into the one module that Streamlit takes, so that no build step is needed.

Each file stays a real module: editors and Node read it as it is. Here its imports become constants taken from the
files before it, inside a function of its own, so that names never meet. Knows only the forms our own files use:
one-line named imports, `export function`, `export const`, `export default function`.
"""

from __future__ import annotations

import re
from pathlib import Path

_IMPORT = re.compile(r'^import (\{[^{}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:function|const) (\w+)", re.MULTILINE)
_OTHER_IMPORT = re.compile(r"^import\b", re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:default )?", re.MULTILINE)
_DEFAULT = re.compile(r"^export default function (\w+)", re.MULTILINE)


def bundle(folder: Path, names: tuple[str, ...]) -> str:
    """The modules `names` of `folder` as the text of one module; the last one's default export is the bundle's.

    Args:
        folder: Where `<name>.js` files are.
        names: The modules, each after those it imports from.

    Raises:
        ValueError: A module imports from one that does not come before it, or in a form that is not understood.
    """
    parts: list[str] = []
    for place, name in enumerate(names):
        source = (folder / f"{name}.js").read_text(encoding="utf-8")
        for wanted in _IMPORT.findall(source):
            if wanted[1] not in names[:place]:
                raise ValueError(f"{name}.js imports {wanted[1]}.js, which is not before it in the order. Move it up.")
        body = _IMPORT.sub(lambda match: f"const {match[1]} = {_scope(match[2])};", source)
        if _OTHER_IMPORT.search(body):
            raise ValueError(f"{name}.js has an import that is not one line of names from a file beside it. Write it so.")
        default = _DEFAULT.search(body)
        exported = [*_EXPORT.findall(source), *([f"default: {default[1]}"] if default else [])]
        body = _EXPORTED.sub("", body)
        parts.append(f"const {_scope(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();\n")
    return "\n".join([*parts, f"export default {_scope(names[-1])}.default;\n"])


def _scope(name: str) -> str:
    return f"module_{name}"
