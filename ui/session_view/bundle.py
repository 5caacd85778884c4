"""Joins the view's ES modules into the one module that Streamlit takes, without a build step.

Streamlit hands a component's script to the browser as one text, loaded from a `blob:` address, where a relative import
leads nowhere. Its other way, an `asset_dir`, serves files of a distribution that is installed under the name of an
importable package; a checkout that is started with `streamlit run` has none. So the imports are resolved here, when the
component is declared: from the entry module on, each module after those it imports, in the order of its import lines.
Each becomes a function that returns its exports, and its imports become constants taken from them, so that private names
of two modules never meet. The files themselves stay modules that editors, Node and browsers read as they are.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_IMPORT = re.compile(r'^import (\{\s*\w+(?:,\s*\w+)*,?\s*\}) from "(\.[\w./-]*\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:default )?(?=(?:async )?(?:function|class|const) \w)", re.MULTILINE)
_NAMED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default (?:async )?(?:function|class) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundle(entry: Path) -> str:
    """The module `entry` and all that it imports as the text of one module with the same default export.

    Args:
        entry: A module with a default export.

    Raises:
        ValueError: A module imports one that does not exist or that imports it in turn, or writes an import or export in
            a form that is not read here.
    """
    sources = modules(entry)
    names = {path: f"module_{number}" for number, path in enumerate(sources)}
    parts = [_wrapped(path, source, names) for path, source in sources.items()]
    return "\n".join([*parts, f"export default {names[entry.resolve()]}.default;\n"])


def modules(entry: Path) -> dict[Path, str]:
    """`entry` and all that it imports with their sources, each after those that it imports itself.

    Raises:
        ValueError: See `bundle`.
    """
    done: dict[Path, str] = {}
    _visit(entry.resolve(), (), done)
    return done


def _visit(path: Path, importers: tuple[Path, ...], done: dict[Path, str]) -> None:
    if path in done:
        return
    if path in importers:
        circle = " -> ".join(one.name for one in (*importers[importers.index(path) :], path))
        raise ValueError(f"Modules import each other in a circle: {circle}. Move what they share into a module of its own.")
    if not path.is_file():
        raise ValueError(f"{importers[-1].name} imports {path}, which does not exist.")
    source = path.read_text(encoding="utf-8")
    for _, imported in _IMPORT.findall(source):
        _visit(_beside(path, imported), (*importers, path), done)
    done[path] = source


def _beside(path: Path, imported: str) -> Path:
    """What a module at `path` means by a relative address."""
    return Path(os.path.normpath(path.parent / imported))


def _wrapped(path: Path, source: str, names: dict[Path, str]) -> str:
    """A module as a constant that holds its exports."""
    exported = [*_NAMED.findall(source), *(f"default: {name}" for name in _DEFAULT.findall(source))]

    def constant(match: re.Match[str]) -> str:
        return f"const {match[1]} = {names[_beside(path, match[2])]};"

    body = _EXPORT.sub("", _IMPORT.sub(constant, source))
    if other := _OTHER.search(body):
        raise ValueError(
            f"{path.name} has {other[0]!r}. Import names without `as` from a relative .js file; export a function, a "
            "class or a const where it is declared."
        )
    return f"const {names[path]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();\n"
