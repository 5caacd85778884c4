"""The style sheets, and the names in them that stand for Streamlit's selectors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ui
from ui.dependencies.streamlit_private import SELECTORS
from ui.shell import styles

SHEETS = [styles.PAGE, Path(ui.__file__).parent / "demo" / "bar.css"]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_every_name_in_a_sheet_is_replaced_by_its_selector(sheet):
    names = re.findall(r":--([\w-]+)", sheet.read_text())
    rules = styles.rules(sheet)
    assert names
    assert all(SELECTORS[name] in rules for name in names)
    assert ":--" not in rules


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_name_begins_a_selector(sheet):
    """A name may stand for one that begins with an element's name, which cannot follow a class or another element."""
    assert re.findall(r"[^\s(,]:--[\w-]+", sheet.read_text()) == []


def test_a_name_that_is_not_known_is_an_error(tmp_path):
    (tmp_path / "new.css").write_text(":--no-such-thing { color: red; }")
    with pytest.raises(KeyError, match="no-such-thing"):
        styles.rules(tmp_path / "new.css")
