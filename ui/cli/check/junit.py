"""Results of cases as JUnit XML, as build servers read it. Only written, never read."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from agents.cases import CaseResult, outcomes
from ui.text.visible_text import visible

_NO_CHARACTERS = {0xFFFE: 0xFFFD, 0xFFFF: 0xFFFD}
"""XML has no such characters; `visible` replaces the others that it does not have."""


def junit_xml(results: Sequence[CaseResult], seconds: Sequence[float], problems: Sequence[Exception]) -> str:
    """The results as one test suite; a file that cannot be read is a case with an error.

    Args:
        results: The results.
        seconds: How long each took.
        problems: Why files cannot be read.
    """
    counts = outcomes(results)
    suite = Element(
        "testsuite",
        name="playground check",
        tests=str(len(results) + len(problems)),
        failures=str(counts["failed"]),
        errors=str(counts["error"] + len(problems)),
        skipped="0",
        time=f"{sum(seconds):.3f}",
    )
    for result, took in zip(results, seconds, strict=True):
        _case(suite, result, took)
    for problem in problems:
        file = f"{str(problem).partition('.json')[0]}.json"
        case = SubElement(suite, "testcase", classname="file", name=_text(file), time="0.000")
        SubElement(case, "error", message=_text(str(problem)))
    suites = Element("testsuites")
    suites.append(suite)
    indent(suites)
    return f"{tostring(suites, encoding='unicode', xml_declaration=False)}\n"


def _case(suite: Element, result: CaseResult, took: float) -> None:
    case = SubElement(
        suite, "testcase", classname=_text(result.case.pipeline), name=_text(result.case.name), time=f"{took:.3f}"
    )
    wrong = result.first_wrong
    if wrong is None:
        return
    problem = SubElement(case, "error" if wrong.error else "failure", message=_text(wrong.why))
    told = [wrong.error, *map(str, wrong.differences), f"{result.held} of {len(result.runs)} runs held."]
    problem.text = _text("\n".join(filter(None, told)))


def _text(text: str) -> str:
    return visible(text).translate(_NO_CHARACTERS)
