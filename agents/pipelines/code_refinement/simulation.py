"""What a simulated model answers for the writer and the refiner.

Both work from their instruction: the request, the code and the findings in it. Neither runs the code, and the refiner
does not check it: it fixes what the findings name.
"""

from __future__ import annotations

import re

from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.code_refinement.checker import FENCED, check, code_in
from agents.pipelines.code_refinement.draft import first_draft
from agents.pipelines.code_refinement.finding import Finding
from agents.pipelines.code_refinement.recipes import asks_to_mend, no_code, recipe_for, refusal
from agents.pipelines.code_refinement.repair import repair

_CODE = re.compile(r"\s*+(?:@\w|(?:async )?def \w++\(|class \w++[(:]|import \w|from \w++ import )")
_FIRST = re.compile(r"first (\d{1,3}) findings")
_BACKTICKS = re.compile(r"`++")


def write_code(request: SimulatedRequest) -> Reply:
    """The first version of the function, or the code that the request brings; a refusal for anything else."""
    asked = _whole_section(request.instruction, "request")
    if given := _brought(asked):
        return Reply(_fenced(given), thought="The request brings its own code.")
    recipe = recipe_for(asked)
    return refusal(asked) if recipe is None else Reply(_fenced(first_draft(recipe, asked)))


def refine_code(request: SimulatedRequest) -> Reply:
    """The code with the first findings mended; a refusal where there is none and none is known, if it is the first one."""
    asked = _whole_section(request.instruction, "request")
    answer = _whole_section(request.instruction, "code", until="findings")
    findings = Finding.all_in(_whole_section(request.instruction, "findings", until="request"))
    code = code_in(answer)
    mended: list[str] = []
    left: list[str] = []
    for finding in reversed(findings[: _how_many(request)]):  # from below, so that the lines of the others stay
        before = code
        code = repair(code, finding, asked)
        (mended if code != before else left).append(finding.rule)
    if not code:
        refused, told = refusal(asked), no_code(asked)
        return Reply(told) if answer.strip() in (refused.text, told) else refused
    thought = f"Mended: {', '.join(mended) or 'nothing'}."
    if left:
        thought += f" I do not know how to mend: {', '.join(left)}."
    return Reply(_fenced(code), thought=thought)


def _brought(asked: str) -> str:
    """The code in a request for no more than to mend it, "" for none: in a fence, or the whole request if it compiles."""
    if code := code_in(asked):
        beside = FENCED.sub("", asked, count=1).strip()
        return code if not beside or asks_to_mend(beside) else ""
    is_code = _CODE.match(asked) and not any(finding.rule == "syntax" for finding in check(asked))
    return asked if is_code else ""


def _how_many(request: SimulatedRequest) -> int:
    found = _FIRST.search(request.instruction)
    return int(found[1]) if found else 1


def _whole_section(instruction: str, title: str, *, until: str | None = None) -> str:
    """What stands between `<title>` and its end, whatever it holds itself: the sections' order is known."""
    _, begins, rest = f"\n{instruction}".partition(f"\n<{title}>\n")
    if not begins:
        return ""
    end = f"\n</{title}>" + (f"\n\n<{until}>\n" if until else "")
    return f"\n{rest}".rpartition(end)[0].removeprefix("\n")


def _fenced(code: str) -> str:
    longest = max((len(run) for run in _BACKTICKS.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{code.rstrip()}\n{fence}"


SIMULATION = {"CodeWriter": write_code, "CodeRefiner": refine_code}
