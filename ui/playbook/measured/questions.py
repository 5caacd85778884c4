"""The questions that a playbook can be measured with: those of its own answers, drawn ones, and data files of the Lab."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agents import SessionNotFoundError
from agents.lab import AsJudged, Sample, Scorer, asked_question, make_scorer, open_data
from ui.playbook import session_link
from ui.playbook.welcome import ACE
from ui.state import data_files, runs
from ui.text.labels import many

if TYPE_CHECKING:
    from agents.ace import JudgedAnswer
    from ui.playbook.shown_playbook import ShownPlaybook

OWN, FILE = "own", "file:"
DRAWN = {
    "formulas": "Drawn: formulas",
    "house_rules": "Drawn: house rules",
    "free_advice": "Drawn: free advice",
}
SEED = 1
"""Of drawn questions."""


class Questions(NamedTuple):
    """Questions with the scorer that they are made for.

    Attributes:
        samples: The questions.
        source: Where they come from, in words.
        scorer: Scores the answers.
        scored_by: The scorer's name.
    """

    samples: Sequence[Sample]
    source: str
    scorer: Scorer
    scored_by: str


def own(found: ShownPlaybook) -> list[JudgedAnswer]:
    """The answers whose session was told a right answer and is still there, newest first, each question once."""
    kept: dict[tuple[str, str], JudgedAnswer] = {}
    for answer in reversed(found.store.answers()):
        name = answer.app_name
        if answer.feedback != "ground truth" or (name, answer.question) in kept:
            continue
        if session_link.seen(found, name, answer.session_id) is not None:
            kept[name, answer.question] = answer
    return list(kept.values())


def pipeline_of(answers: Sequence[JudgedAnswer]) -> str:
    """The pipeline of most of a playbook's answers; without answers the one that learns."""
    counted = Counter(answer.app_name for answer in answers).most_common(1)
    return counted[0][0] if counted else ACE


def sources(answers: Sequence[JudgedAnswer]) -> dict[str, str]:
    """What can be chosen: name → label.

    Args:
        answers: The playbook's own, see `own`.
    """
    mine = {OWN: f"Questions of its own answers ({len(answers):,})"}
    return mine | DRAWN | {f"{FILE}{name}": _label(f"{FILE}{name}") for name in data_files.kept()}


def questions(source: str, answers: Sequence[JudgedAnswer], count: int) -> Questions:
    """The first questions of a source.

    Args:
        source: Its name, see `sources`.
        answers: The playbook's own, see `own`.
        count: At most so many.

    Raises:
        PlaygroundError: A file cannot be read.
    """
    folder = data_files.folder()
    if source == OWN:
        pipeline = pipeline_of(answers)
        wanted = (answer for answer in answers if answer.app_name == pipeline)
        asked = [_asked(folder, answer) for answer in islice(wanted, count)]
        samples = [sample for sample in asked if sample is not None]
        return Questions(samples, f"{many(len(samples), 'question')} of its own answers", AsJudged(), "as judged")
    if source in DRAWN:
        spec, changed = (("generate", source), ("seed", SEED), ("count", count)), 0
    else:
        name = source.removeprefix(FILE)
        spec, changed = (("file", name),), _changed(folder / name)
    samples, scored_by = _opened(folder, spec, count, changed)
    said = f"{_label(source)}, {many(len(samples), 'question')}"
    return Questions(samples, said, make_scorer({"kind": scored_by}), scored_by)


def _label(source: str) -> str:
    return DRAWN.get(source) or f"File: {source.removeprefix(FILE)}"


@lru_cache(maxsize=1000)
def _asked(folder: Path, answer: JudgedAnswer) -> Sample | None:  # noqa: ARG001  tells databases apart
    """The question of an answer, read from its session once."""
    with suppress(SessionNotFoundError):  # deleted just now
        asked = asked_question(runs.manager().sessions.log(answer.app_name, answer.session_id), answer)
        return asked and asked.sample
    return None


@lru_cache(maxsize=8)
def _opened(
    folder: Path,
    spec: tuple[tuple[str, Any], ...],
    count: int,
    changed: int,  # noqa: ARG001  a file that has changed is read again
) -> tuple[Sequence[Sample], str]:
    """The first samples of a data set, and the name of its scorer."""
    data = open_data(dict(spec), folder=folder)
    scorer: Mapping[str, Any] = getattr(data, "scorer", None) or {"kind": "folded"}
    return list(islice(data.samples("all"), count)), str(scorer["kind"])


def _changed(path: Path) -> int:
    """When a file was changed last, in nanoseconds; 0 if it is gone."""
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0
