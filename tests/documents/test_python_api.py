"""The page Python API has every public name, and is what the docstrings say now."""

from __future__ import annotations

from tests.architecture.sources import ROOT
from tests.documents.python_api import FILE, PACKAGES, page


def test_the_page_is_up_to_date():
    assert FILE.read_text(encoding="utf-8") == page(), "run: uv run poe docs"


def test_every_package_with_public_names_is_on_the_page():
    public = {
        ".".join(path.parent.relative_to(ROOT / "agents").parts)
        for path in (ROOT / "agents").glob("*/__init__.py")
        if "__all__" in path.read_text(encoding="utf-8")
    }
    assert public - set(PACKAGES) == set()


def test_every_name_has_a_line_that_says_something():
    assert [
        line for line in FILE.read_text(encoding="utf-8").splitlines() if line.startswith("| `") and line.endswith("|  |")
    ] == []
