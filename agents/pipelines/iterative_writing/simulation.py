"""What a simulated model answers for the writer, the critic and the refiner.

Each reads its own instruction, as a model would: the topic, the document and the criticism in it, the critic's criteria,
the phrase that ends the loop.
"""

from __future__ import annotations

import re

from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.iterative_writing.draft import write_draft
from agents.pipelines.iterative_writing.review import choose_worst, judge, read_criteria
from agents.pipelines.iterative_writing.revision import revise
from agents.pipelines.iterative_writing.topic import FORMS, read_topic

_EXACTLY = re.compile(r'exactly\s+"([^"\n]+)"')


def write(request: SimulatedRequest) -> Reply | str:
    """A first draft about the topic in the instruction; a refusal for what is no topic."""
    asked = _asked(request)
    topic = read_topic(asked)
    return FORMS.refusal(asked) if topic is None else write_draft(topic)


def criticise(request: SimulatedRequest) -> Reply:
    """The worst that the document in the instruction lacks by the criteria there, or that it lacks nothing."""
    task = request.instruction.partition("<document>")[0]
    if (topic := read_topic(_asked(request))) is None:
        return Reply(_completion_phrase(task))
    criteria = read_criteria(task)
    measured = [criterion for criterion in criteria if criterion.measure]
    findings = judge(request.section("document"), criteria, (topic.phrase, topic.again))
    thought = f"{len(measured) - len(findings)} of {len(measured)} criteria are met."
    if passed_over := [criterion.name for criterion in criteria if criterion not in measured]:
        thought += f" Not judged, since a simulation can only count and compare: {', '.join(passed_over)}."
    if not findings:
        return Reply(_completion_phrase(task), thought=thought)
    thought += f" Missing: {', '.join(finding.name for finding in findings)}."
    return Reply("\n".join(f"{finding.name}: {finding.advice}" for finding in choose_worst(findings)), thought=thought)


def refine(request: SimulatedRequest) -> Reply | str:
    """The document in the instruction, mended as the criticism there asks; or the end of the loop."""
    criticism = request.section("criticism")
    if criticism == _completion_phrase(request.instruction.partition("<document>")[0]) and request.may_call("exit_loop"):
        return Reply(calls=[("exit_loop", {})])
    document, topic = request.section("document"), read_topic(_asked(request))
    return revise(document, criticism, (topic.phrase, topic.again) if topic else ()) or document


def _asked(request: SimulatedRequest) -> str:
    """The user's message, whatever it holds itself: it stands last in each instruction."""
    return request.instruction.partition("\n<topic>\n")[2].rpartition("\n</topic>")[0]


def _completion_phrase(task: str) -> str:
    found = _EXACTLY.search(task)
    return found.group(1) if found else "Nothing is left to mend."


SIMULATION = {"InitialWriterAgent": write, "CriticAgent": criticise, "RefinerAgent": refine}
