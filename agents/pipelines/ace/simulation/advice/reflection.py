"""How the reflector looks back at a free answer: by the rubric of its prompt, and by feedback where there is any."""

from __future__ import annotations

from agents.pipelines.ace.simulation.advice.rubric import Score, judge
from agents.pipelines.ace.simulation.advice.strategies import strategies_for
from agents.pipelines.ace.simulation.advice.topics import Topic
from agents.pipelines.ace.simulation.feedback import Feedback
from agents.pipelines.ace.simulation.reflection import NO_ERROR, Case, Reflection

MOST_AT_ONCE = 2
"""Strategies that one reflection names; the rest is left for later answers."""


def reflect_on_advice(case: Case, topic: Topic, feedback: Feedback) -> Reflection:
    """Looks back at a free answer.

    Args:
        case: What the reflector was given.
        topic: What the question asks advice on.
        feedback: What is known of the answer; not the right answer itself.
    """
    phrases = topic.phrases
    score = judge(case.final_answer, phrases, case.rubric, topic=topic.name)
    now = _next_strategies(case, topic)
    later = judge(phrases.separator.join(now), phrases, score.missing, topic=topic.name).missing
    told = {True: "told_right", False: "told_wrong", None: "judged"}[feedback.is_right]
    reasoning = [phrases.say(told, score=score.text(phrases))]
    if later:
        reasoning.append(phrases.say("left", missing=phrases.listed(later)))
    said = feedback.truth if feedback.is_right is False else None
    return Reflection(
        reasoning=phrases.separator.join(reasoning),
        error_identification=phrases.say("is_wrong") if feedback.is_right is False else NO_ERROR,
        root_cause_analysis=phrases.say("cause", missing=phrases.listed(score.missing)) if score.missing else "",
        correct_approach="\n".join([*([said] if said else []), *now]),
        key_insight=_insight(score, topic, goes_on=bool(now)),
        tags=_tags(case, feedback),
    )


def _next_strategies(case: Case, topic: Topic) -> list[str]:
    """The strategies after those that the bullets stand for: one that was edited or removed does not come again."""
    bullets = strategies_for(topic, case.lines)
    there = {line.content for line in bullets}
    return [one for one in topic.strategies[len(bullets) :] if one not in there][:MOST_AT_ONCE]


def _insight(score: Score, topic: Topic, *, goes_on: bool) -> str:
    phrases = topic.phrases
    if score.missing:
        return phrases.say("insight", topic=topic.name, missing=phrases.listed(score.missing))
    return phrases.say("goes_on" if goes_on else "nothing_missing", topic=topic.name) if score.met else ""


def _tags(case: Case, feedback: Feedback) -> tuple[tuple[str, str], ...]:
    """Used is not helpful: only a verdict tells, and a bad one only where it can mean one bullet alone."""
    if feedback.is_right:
        return case.tags("helpful")
    alone = feedback.is_right is False and len(case.cited_lines) == 1
    return case.tags("harmful" if alone else "neutral")
