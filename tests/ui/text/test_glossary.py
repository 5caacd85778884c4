from __future__ import annotations

import re

import pytest

from ui.browser.bundle import bundle
from ui.shell.appearance import PACKAGE
from ui.text.glossary import help_on, meanings


def test_a_meaning_ends_where_the_next_term_or_section_begins():
    assert meanings()["iteration"] == "One pass of a loop through all of its agents."
    assert meanings()["simulated"].endswith("not by a language model.")
    assert all(re.fullmatch(r"[^#\n]{15,330}\.", meaning) for meaning in meanings().values())


def test_help_names_each_term():
    assert help_on("arm", "seed").startswith("**arm**: One way of answering")
    assert "\n\n**seed**: A number" in help_on("arm", "seed")
    with pytest.raises(KeyError):
        help_on("no such term")


def test_the_scripts_of_the_pages_carry_the_same_text():
    script = bundle(PACKAGE / "session_view" / "js" / "component.js")
    assert all(f"### {term}\\n" in script for term in meanings())
