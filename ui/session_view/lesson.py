"""The lesson of a pipeline as the session view's Lesson tab takes it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from agents.pipelines import Observation, Pipeline
from ui.text.labels import title_of

LONGEST_SAMPLE = 60


def lesson_of(pipeline: Pipeline) -> dict[str, Any] | None:
    """The first paragraph of a pipeline's lesson and what to look for; None if the card names nothing to look for."""
    card = pipeline.card
    if not card.observations:
        return None
    return {
        "pipeline": pipeline.name,
        "text": card.lesson.strip().partition("\n\n")[0],
        "observations": [_observation(one, card.samples) for one in card.observations],
    }


def _observation(observation: Observation, samples: tuple[str, ...]) -> dict[str, Any]:
    """An observation as JSON, with the sample's text in place of its number."""
    sample = "" if observation.break_title else title_of(samples[observation.sample - 1], length=LONGEST_SAMPLE)
    return {field.name: getattr(observation, field.name) for field in fields(observation)} | {"sample": sample}
