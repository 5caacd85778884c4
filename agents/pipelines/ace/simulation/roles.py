"""The simulated models of the roles: each answers from its prompt alone, the rewriter in text, the others as JSON.

The generator uses the formulas in its playbook, and a few general sentences for advice. The reflector tries expressions
over a question's numbers, and judges free answers by the rubric in its prompt. The curator turns the reflection into
operations. The rewriter, which the Lab compares with them, writes all notes anew. None of them has a list of questions.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, cast

from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.ace.simulation.advice.rubric import criteria_in
from agents.pipelines.ace.simulation.bullets import lines_in
from agents.pipelines.ace.simulation.curator import curate
from agents.pipelines.ace.simulation.generator import answer
from agents.pipelines.ace.simulation.reflection import Case
from agents.pipelines.ace.simulation.reflector import reflect
from agents.pipelines.ace.simulation.rewriter import rewrite


def generate(request: SimulatedRequest) -> Reply:
    """An answer from the playbook's bullets, with the ids of those that it rests on."""
    said = answer(_section(request, "question"), lines_in(_section(request, "playbook")))._asdict()
    examples = said.pop("examples")
    return Reply(_as_json(said), examples=examples)


def look_back(request: SimulatedRequest) -> str:
    """A reflection on an answer."""
    given = _object(_section(request, "answer"))
    previous = _object(_section(request, "previous_reflection"))
    case = Case(
        question=_section(request, "question"),
        lines=lines_in(_section(request, "playbook")),
        final_answer=_text(given.get("final_answer")),
        cited=[_text(one) for one in _list(given.get("bullet_ids"))],
        feedback=_section(request, "feedback"),
        previous={name: _text(value) for name, value in previous.items() if isinstance(value, str)},
        rubric=criteria_in(_section(request, "rubric")),
    )
    found = reflect(case)
    if found is None:
        return _as_json(previous)
    said = asdict(found)
    tags = [{"id": id_, "tag": tag} for id_, tag in said.pop("tags")]
    return _as_json({**said, "bullet_tags": tags})


def write_down(request: SimulatedRequest) -> str:
    """The operations after a reflection, with reasons."""
    reflection = _object(_section(request, "reflection"))
    tags = [cast("dict[str, Any]", tag) for tag in _list(reflection.get("bullet_tags")) if isinstance(tag, dict)]
    found = curate(
        _text(reflection.get("correct_approach")),
        error=_text(reflection.get("error_identification")),
        harmful={_text(tag.get("id")) for tag in tags if tag.get("tag") == "harmful"},
        lines=lines_in(_section(request, "playbook")),
        limits=_section(request, "limits"),
        question=_section(request, "question"),
    )
    return _as_json(found._asdict())


def write_anew(request: SimulatedRequest) -> str:
    """All notes anew, with what the answer teaches."""
    return rewrite(
        _section(request, "notes"),
        question=_section(request, "question"),
        given=_section(request, "answer"),
        feedback=_section(request, "feedback"),
        keeps_all=bool(_section(request, "limits")),
    )


def _section(request: SimulatedRequest, tag: str) -> str:
    """The text of the last `<tag>` of the prompt; earlier mentions of the tag belong to the task."""
    _, begin, rest = request.instruction.rpartition(f"<{tag}>")
    text, end, _ = rest.partition(f"</{tag}>")
    return text.strip() if begin and end else ""


def _object(text: str) -> dict[str, Any]:
    """A JSON object; empty if the text is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


SIMULATION = {
    "Generator": generate,
    "GeneratorAgain": generate,
    "ReflectorModel": look_back,
    "CuratorModel": write_down,
    "Rewriter": write_anew,
}
