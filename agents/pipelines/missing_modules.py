"""Names the modules that a user package needs and that are not installed, and the command that installs them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path

_ADK = "google.adk"
_MOST_FILES = 200
_LARGEST = 1_000_000  # bytes of a file that is looked through

_DISTRIBUTIONS = {
    "Crypto": "pycryptodome",
    "Levenshtein": "levenshtein",
    "MySQLdb": "mysqlclient",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "bson": "pymongo",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "discord": "discord.py",
    "dns": "dnspython",
    "docx": "python-docx",
    "faiss": "faiss-cpu",
    "fitz": "pymupdf",
    "git": "gitpython",
    "google.auth": "google-auth",
    "google.cloud.aiplatform": "google-cloud-aiplatform",
    "google.cloud.bigquery": "google-cloud-bigquery",
    "google.cloud.logging": "google-cloud-logging",
    "google.cloud.storage": "google-cloud-storage",
    "google.generativeai": "google-generativeai",
    "google.oauth2": "google-auth",
    "googleapiclient": "google-api-python-client",
    "grpc": "grpcio",
    "jwt": "pyjwt",
    "magic": "python-magic",
    "multipart": "python-multipart",
    "nacl": "pynacl",
    "pptx": "python-pptx",
    "psycopg2": "psycopg2-binary",
    "serial": "pyserial",
    "serpapi": "google-search-results",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "slugify": "python-slugify",
    "tavily": "tavily-python",
    "telegram": "python-telegram-bot",
    "umap": "umap-learn",
    "vertexai": "google-cloud-aiplatform",
    "websocket": "websocket-client",
    "win32api": "pywin32",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}
"""Module → the distribution that has it, where that is called otherwise."""


def explain_missing(error: BaseException, folder: Path) -> tuple[str, frozenset[str]] | None:
    """One sentence on what a package lacks, and the names of the modules; None if `error` is about something else.

    Args:
        error: What the import of the package raised.
        folder: The package's folder. Its other modules are looked through as well, so that all is told at once.
    """
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return None
    if error.name.startswith(_ADK):
        files = sorted({file for name, file in _imports_in(folder) if _is_in(name, _ADK)})
        where = f" in {', '.join(str(file.relative_to(folder)) for file in files)}" if files else ""
        what = "Import agents from `agents` instead of `google.adk`, by the same names: write `from agents import …`"
        return f"{what}{where}.", frozenset()
    missing = {_module(error.name), *(_module(name) for name, _ in _imports_in(folder) if _is_missing(name, folder))}
    if not _is_missing(error.name, folder):
        return None
    needed = sorted(missing)
    are = "which is not installed" if len(needed) == 1 else "which are not installed"
    command = " ".join(["uv pip install", *sorted({_DISTRIBUTIONS.get(name, name) for name in needed})])
    sentence = f"{folder.name} needs {', '.join(needed)}, {are}: run `{command}`. It is loaded as soon as that is done."
    return sentence, frozenset(needed)


def is_found(name: str, folder: Path) -> bool:
    """Whether a module that a package lacked can be imported now."""
    return not _is_missing(name, folder)


def _is_in(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _module(name: str) -> str:
    """The module that stands for what is to be installed: of several that share a first name, with its second."""
    return next((known for known in _DISTRIBUTIONS if _is_in(name, known)), name.partition(".")[0])


def _is_missing(name: str, folder: Path) -> bool:
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names or top in (folder.name, "agents") or _is_in(name, _ADK):
        return False
    if top == "google":
        return _module(name) in _DISTRIBUTIONS and not _exists(_module(name))
    return top not in sys.modules and PathFinder.find_spec(top) is None


def _exists(name: str) -> bool:
    """Whether a module inside packages that have no code of their own can be found."""
    path: list[str] | None = None
    for place in range(1, name.count(".") + 2):
        spec = PathFinder.find_spec(".".join(name.split(".")[:place]), path)
        if spec is None:
            return False
        path = list(spec.submodule_search_locations or ())
    return True


def _imports_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """The modules that a package's files import when they are imported, with the file; not those in a `try` or an `if`."""
    for file in sorted(folder.rglob("*.py"))[:_MOST_FILES]:
        try:
            tree = ast.parse(file.read_bytes()) if file.stat().st_size <= _LARGEST else None
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in tree.body if tree is not None else ():
            if isinstance(node, ast.Import):
                yield from ((alias.name, file) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module, file
                yield from ((f"{node.module}.{alias.name}", file) for alias in node.names if node.module == "google.cloud")
