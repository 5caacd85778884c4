"""Joins the ES modules of a component into one, as Streamlit needs it, without a build step.

Streamlit sends a component's script to the browser as one text, loaded from a `blob:` URL, where relative imports fail. Its
alternative, an `asset_dir`, needs an installed distribution; a checkout started with `streamlit run` has none. So the
imports are resolved here, when the component is declared: each module comes after the modules that it imports, in the order
of its import lines. A module becomes a function that returns its exports, and its imports become constants taken from them,
so that private names of two modules do not collide. An imported JSON or text file becomes a constant, too. Comments on
lines of their own, types among them, are left out: they are a third of the text that a browser waits for. The source files
stay ordinary ES modules for editors, Node and browsers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

_IMPORT = re.compile(r'^import (\{\s*\w+(?:,\s*\w+)*,?\s*\}) from "(\.[\w./-]*\.js)";$', re.MULTILINE)
_DATA = re.compile(r'^import (\w+) from "(\.[\w./-]*\.(?:json|md))" with \{ type: "(json|text)" \};$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:default )?(?=(?:async )?(?:function|class|const) \w)", re.MULTILINE)
_NAMED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default (?:async )?(?:function|class) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundle(entry: Path, *, instead: Mapping[Path, Path] | None = None) -> str:
    """The text of one module with `entry`'s default export that contains `entry` and everything it imports.

    Args:
        entry: A module with a default export.
        instead: Modules that are taken in the place of others, e.g. where there is no server to ask.

    Raises:
        ValueError: A module imports one that does not exist, imports form a cycle, or an import or export has a form that is
            not supported here.
    """
    given = {path.resolve(): other.resolve() for path, other in (instead or {}).items()}
    sources = modules(entry, instead=given)
    names = {path: f"module_{number}" for number, path in enumerate(sources)}
    names |= {path: names[other] for path, other in given.items() if other in names}
    parts = [_wrapped(path, source, names) for path, source in sources.items()]
    return "\n".join([*parts, f"export default {names[entry.resolve()]}.default;\n"])


def style_sheet(folder: Path) -> str:
    """All style sheets of a folder as one, in any order: what they share is in the cascade layer of `base.css`."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.css")))


def modules(entry: Path, *, instead: Mapping[Path, Path] | None = None) -> dict[Path, str]:
    """`entry` and everything it imports with their sources, each module after its own imports; see `bundle`.

    Raises:
        ValueError: See `bundle`.
    """
    done: dict[Path, str] = {}
    _visit(entry.resolve(), (), done, instead or {})
    return done


def _visit(path: Path, importers: tuple[Path, ...], done: dict[Path, str], instead: Mapping[Path, Path]) -> None:
    path = instead.get(path, path)
    if path in done:
        return
    if path in importers:
        circle = " -> ".join(one.name for one in (*importers[importers.index(path) :], path))
        raise ValueError(f"Modules import each other in a circle: {circle}. Move what they share into a module of its own.")
    if not path.is_file():
        raise ValueError(f"{importers[-1].name} imports {path}, which does not exist.")
    source = path.read_text(encoding="utf-8")
    for _, imported in _IMPORT.findall(source):
        _visit(_beside(path, imported), (*importers, path), done, instead)
    done[path] = source


def _beside(path: Path, imported: str) -> Path:
    """What a module at `path` means by a relative address."""
    return Path(os.path.normpath(path.parent / imported))


def _wrapped(path: Path, source: str, names: dict[Path, str]) -> str:
    """A module as a constant that holds its exports."""
    exported = [*_NAMED.findall(source), *(f"default: {name}" for name in _DEFAULT.findall(source))]

    def constant(match: re.Match[str]) -> str:
        return f"const {match[1]} = {names[_beside(path, match[2])]};"

    def data(match: re.Match[str]) -> str:
        text = _beside(path, match[2]).read_text(encoding="utf-8")
        return f"const {match[1]} = {json.dumps(json.loads(text) if match[3] == 'json' else text)};"

    body = _EXPORT.sub("", _DATA.sub(data, _IMPORT.sub(constant, without_comments(source))))
    if other := _OTHER.search(body):
        raise ValueError(
            f"{path.name} has {other[0]!r}. Import names without `as` from a relative .js file, or all of a "
            ".json or .md file; export a function, a class or a const where it is declared."
        )
    return f"const {names[path]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


def without_comments(source: str) -> str:
    """A source without the lines that are comments. No text of ours has a line that looks like one."""
    kept: list[str] = []
    inside = False
    for line in source.splitlines():
        text = line.strip()
        if inside:
            inside = not text.endswith("*/")
        elif text.startswith("/*") and text.find("*/") in {-1, len(text) - 2}:
            inside = "*/" not in text
        elif text and not text.startswith("//"):
            kept.append(line)
    return "\n".join([*kept, ""])
