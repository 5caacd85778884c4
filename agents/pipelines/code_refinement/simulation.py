"""What a simulated model answers for the writer and the refiner.

Both work from their instruction: the request, the code and the findings in it. Neither runs the code, and the refiner
does not check it: it mends what it is told of.
"""

from __future__ import annotations

import re

from agents.models.simulated import Reply, SimulatedRequest
from agents.pipelines.code_refinement.checking import code_in, name_in
from agents.pipelines.code_refinement.finding import Finding
from agents.pipelines.code_refinement.mending import mend
from agents.pipelines.code_refinement.writing import recipe_for, write

_CODE = re.compile(r"\s*(?:@\w|(?:async )?def \w+\(|class \w+[(:]|import \w|from \w+ import )")


def write_code(request: SimulatedRequest) -> Reply:
    """The first version of the function, or the code that the request brings."""
    asked = _whole_section(request.instruction, "request")
    if given := code_in(asked) or (asked if _CODE.match(asked) else ""):
        return Reply(_fenced(given), thought="The request brings its own code.")
    known = recipe_for(asked) is not None
    thought = "" if known else "I know no function like that, so I can only write its outline."
    return Reply(_fenced(write(asked, name_in(asked))), thought=thought)


def refine_code(request: SimulatedRequest) -> Reply:
    """The code with the first findings mended."""
    asked = _whole_section(request.instruction, "request")
    answer = _whole_section(request.instruction, "code", until="findings")
    findings = Finding.all_in(_whole_section(request.instruction, "findings", until="request"))
    code = code_in(answer)
    mended: list[str] = []
    left: list[str] = []
    for finding in reversed(findings[: _how_many(request)]):  # from below, so that the lines of the others stay
        before = code
        code = mend(code, finding, asked)
        (mended if code != before else left).append(finding.rule)
    thought = f"Mended: {', '.join(mended) or 'nothing'}."
    if left:
        thought += f" I do not know how to mend: {', '.join(left)}."
    return Reply(_fenced(code), thought=thought)


def _how_many(request: SimulatedRequest) -> int:
    found = re.search(r"first (\d+) findings", request.instruction)
    return int(found[1]) if found else 1


def _whole_section(instruction: str, title: str, *, until: str | None = None) -> str:
    """What stands between `<title>` and its end, whatever it holds itself: the sections' order is known."""
    if (begin := re.search(rf"^<{title}>\n", instruction, re.MULTILINE)) is None:
        return ""
    end = f"\n</{title}>" + (f"\n\n<{until}>\n" if until else "")
    return f"\n{instruction[begin.end() :]}".rpartition(end)[0].removeprefix("\n")


def _fenced(code: str) -> str:
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}python\n{code.rstrip()}\n{fence}"


SIMULATION = {"CodeWriter": write_code, "CodeRefiner": refine_code}
