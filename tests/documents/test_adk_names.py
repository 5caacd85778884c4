"""The table of ADK's names says of each what it is here, and why where it is nothing."""

from __future__ import annotations

import json
import re

import pytest

from agents.adk import names
from tests.compat.graphs.test_same_as_adk import DIFFERENCES, IN_ADK
from tests.documents.adk_names import FILE, MISSING, RECORD, grouped, rows, with_table

TEXT = FILE.read_text(encoding="utf-8")


def test_the_table_is_up_to_date():
    assert with_table(TEXT) == TEXT, "run: uv run poe docs"


def test_each_name_that_adk_makes_public_has_a_row_and_a_missing_one_a_reason_and_a_way():
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    public = {(f"google.adk.{module}", name) for module, listed in recorded.items() for name in listed["public"]}
    found = {(module, name): place for module, listed in grouped().items() for name, place in listed.items()}
    assert {name for _, name in public - found.keys()} <= {name for _, name in found}, "a name of two modules stands once"
    lacking = {name for (_, name), place in found.items() if place.what == MISSING}
    assert [name for name in sorted(lacking) if name not in names.missing()] == []
    assert {name for kind in names.kinds().values() for name in kind["names"][:1]} <= {n for _, n in found}
    assert lacking >= {"LiveRequestQueue"}


@pytest.mark.parametrize("name", sorted(names.missing()))
def test_a_name_that_is_said_to_be_missing_is(name):
    with pytest.raises(ImportError, match=r"playground help adk"):
        names.value_of("tools", name)


def test_reasons_and_ways_are_sentences_of_the_table():
    wrong = [row for row in rows() if f" {MISSING}: " in row and not re.search(r": [^.]+\. .+[.] \|$", row)]
    assert wrong == []


def test_the_graphs_that_were_compared_are_counted():
    assert f"{len(IN_ADK)} graphs ran the same here" in TEXT
    assert len(DIFFERENCES) == 5, "name the new difference on the page, too"
