"""Every pattern that reads text takes linear time, whatever the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import pytest

from agents.models.providers import claims
from tests.architecture.growth import Steep, first_steep
from tests.architecture.pattern_attacks import made_for
from tests.architecture.pattern_search import ALL_USES, MODULES, PASSES, made_elsewhere, patterns
from tests.architecture.sources import shown


class Built(NamedTuple):
    """Patterns that are made while the program runs."""

    reason: str
    use: str
    examples: Callable[[], Iterable[str]]


MADE_AT_RUN_TIME = {
    "agents/models/providers.py": Built(
        "providers give patterns of model names as text, as `supported_models` does",
        "fullmatch",
        lambda: [pattern for pattern, _ in claims()],
    ),
    "agents/models/registry.py": Built(
        "classes of other packages register patterns of model names as text, which are theirs; it matches as for providers",
        "fullmatch",
        lambda: [pattern for pattern, _ in claims()],
    ),
}
"""By file. Plain string methods are better; where they will not do, examples of what is made are tested."""


def steep(pattern: re.Pattern[str], uses: Iterable[str] = ALL_USES) -> Steep | None:
    attacks = made_for(pattern)
    reads = {_reader(pattern, use) for use in _costly(uses)}
    return next((found for read in reads if (found := first_steep(read, attacks, is_pattern=True))), None)


def _costly(uses: Iterable[str]) -> set[str]:
    """The uses that have to be run: a pass through a text costs no less than a search, and that no less than a match."""
    if PASSES.intersection(uses) - {"search"}:
        return {"sub", *uses} & {"sub", "fullmatch"}
    return {*uses} - {"match"} if "search" in uses else {*uses}


def _reader(pattern: re.Pattern[str], use: str) -> Callable[[str], object]:
    return partial(pattern.sub, "") if use == "sub" else getattr(pattern, use)


@pytest.mark.parametrize("module", MODULES)
def test_the_patterns_of_a_module_are_linear(module: str):
    own = [found for found in patterns() if found.name.startswith(f"{module}:")]
    said = [
        f"{found.name}, {found.pattern.pattern!r} ({', '.join(found.uses)}): {it}"
        for found in own
        if (it := steep(found.pattern, found.uses))
    ]
    assert said == []


@pytest.mark.parametrize("file", MADE_AT_RUN_TIME)
def test_a_pattern_that_is_made_at_run_time_is_linear(file):
    built = MADE_AT_RUN_TIME[file]
    examples = [*built.examples()]
    assert examples
    for example in examples:
        assert (it := steep(re.compile(example), [built.use])) is None, f"{example!r}: {it}"


def test_patterns_are_constants_of_modules():
    wrong = [
        f"{file}:{line}: {call}" for path, line, call in made_elsewhere() if (file := shown(path)) not in MADE_AT_RUN_TIME
    ]
    assert wrong == [], "make it a constant of the module, so that the test above runs it"


# -- the measure itself


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (r"(?m)^\s*x", "search"),
        (r"(a+)+$", "match"),
        (r"(?:a|a)*b", "match"),
        (r"\s+$", "search"),
        (r"(.+) to (.+)", "search"),
        (r"(.*),(.*),(.*),(.*);", "match"),
        (r"\[[^\]]*\]", "finditer"),
        (r"<!--.*?-->", "search"),
        (r" ssl:<[^>]*>", "finditer"),
        (r"(?s)(`{3,}|~{3,})[^\n]*\n(.*?)\n?[ \t]*\1", "search"),
        (r"(?ms)^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?^[ \t]*\1[ \t]*$", "finditer"),
        (r"(?s)\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", "fullmatch"),
        (r"\d+(?:,\d+)*%", "search"),
        (r"(?<!\d)\d++(?:,\d{3})*+%", "search"),
        (r"[^\W_]+(?:-[^\W_]+)*:", "search"),
        (r"\b(?:add|put)\b (.*) \bto\b", "finditer"),
        (r"x\s*\s*y", "match"),
        (r"(?i)STEP (\w+\s?)*:", "match"),
        (r"(?<=;)[ ]*a*[ ]*b", "search"),
    ],
)
def test_a_pattern_that_is_not_linear_is_found(pattern, use):
    assert steep(re.compile(pattern), [use])


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (r"\s*x", "match"),
        (r'"[^"]*"', "finditer"),
        (r"(?<!\s)\s++$", "search"),
        (r"\[[^\[\]]*\]", "finditer"),
        (r"\[[^\]]{0,40}\]", "finditer"),
        (r"(?<![\d,])\d++(?:,\d{3})*+%", "search"),
        (r"(?s).*", "fullmatch"),
        (r"\w+|\s+|.", "finditer"),
    ],
)
def test_a_linear_pattern_passes(pattern, use):
    assert steep(re.compile(pattern), [use]) is None


def test_patterns_are_found_wherever_a_module_keeps_them():
    names = {found.name for found in patterns()}
    assert {"agents.models.local.catalogue:_SEGMENT", "agents.ace.roles.orders:_ORDERS[0]"} <= names
    uses = {found.name: found.uses for found in patterns()}
    assert uses["agents.models.local.catalogue:_SEGMENT"] == {"fullmatch"}
