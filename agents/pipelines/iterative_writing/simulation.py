"""What a simulated model answers for the writer, the critic and the refiner.

Each reads its own instruction, as a model would: the topic, the document and the criticism in it, the critic's criteria,
the phrase that ends the loop.
"""

from __future__ import annotations

import re

from agents.models.simulated.language.detect import answer_language, is_in_unread_script
from agents.models.simulated.language.phrases import phrases_beside, unread
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.iterative_writing.draft import write_draft
from agents.pipelines.iterative_writing.review import choose_worst, judge, read_criteria
from agents.pipelines.iterative_writing.revision import revise
from agents.pipelines.iterative_writing.topic import read_topic

_EXACTLY = re.compile(r'exactly\s+"([^"\n]+)"')


def write(request: SimulatedRequest) -> str:
    """A first draft about the topic in the instruction, or why there is none."""
    if (refusal := _refusal(request)) is not None:
        return refusal
    return write_draft(read_topic(request.section("topic")))


def criticise(request: SimulatedRequest) -> Reply:
    """The worst that the document in the instruction lacks by the criteria there, or that it lacks nothing."""
    topic = read_topic(request.section("topic"))
    task = request.instruction.partition("<document>")[0]
    if _refusal(request) is not None:
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
    document = request.section("document")
    return revise(document, criticism, read_topic(request.section("topic"))) or document


def _refusal(request: SimulatedRequest) -> str | None:
    """Why nothing is written: the topic is in Japanese, Chinese or a script that is not read; None if something is."""
    topic = request.section("topic")
    if is_in_unread_script(topic):
        return unread()
    language = answer_language(topic)
    return None if language == "en" else phrases_beside(__file__).say(language, "english_only")


def _completion_phrase(task: str) -> str:
    found = _EXACTLY.search(task)
    return found.group(1) if found else "Nothing is left to mend."


SIMULATION = {"InitialWriterAgent": write, "CriticAgent": criticise, "RefinerAgent": refine}
