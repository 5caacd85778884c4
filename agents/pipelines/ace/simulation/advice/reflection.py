"""How the reflector looks back at a free answer: by the rubric of its prompt, and by feedback where there is any."""

from __future__ import annotations

from agents.pipelines.ace.simulation.advice.rubric import Score, judge
from agents.pipelines.ace.simulation.advice.strategies import strategies_for
from agents.pipelines.ace.simulation.feedback import Feedback
from agents.pipelines.ace.simulation.reading.topic import Topic
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
    score = judge(case.final_answer, topic, case.rubric)
    missing = _not_in_bullets(score.missing, case, topic)
    now, later = missing[:MOST_AT_ONCE], missing[MOST_AT_ONCE:]
    told = {True: "told_right", False: "told_wrong", None: "judged"}[feedback.is_right]
    reasoning = [phrases.say(told, score=score.text(phrases))]
    if later:
        reasoning.append(phrases.say("left", missing=phrases.listed(later)))
    said = feedback.truth if feedback.is_right is False else None
    approach = [said] if said else []
    approach += [phrases.strategies[one].format_map({"topic": topic.name}) for one in now]
    return Reflection(
        reasoning=phrases.separator.join(reasoning),
        error_identification=phrases.say("is_wrong") if feedback.is_right is False else NO_ERROR,
        root_cause_analysis=phrases.say("cause", missing=phrases.listed(score.missing)) if score.missing else "",
        correct_approach="\n".join(approach),
        key_insight=_insight(score, topic),
        tags=_tags(case, feedback),
    )


def _not_in_bullets(missing: list[str], case: Case, topic: Topic) -> list[str]:
    """The criteria that no bullet given has either: what an answer only left out need not be learned again."""
    text = topic.phrases.separator.join(line.content for line in strategies_for(topic, case.lines))
    return [one for one in missing if one in judge(text, topic, missing).missing]


def _insight(score: Score, topic: Topic) -> str:
    phrases = topic.phrases
    if score.missing:
        return phrases.say("insight", topic=topic.name, missing=phrases.listed(score.missing))
    return phrases.say("nothing_missing") if score.met else ""


def _tags(case: Case, feedback: Feedback) -> tuple[tuple[str, str], ...]:
    """Used is not helpful: only a verdict tells, and a bad one only where it can mean one bullet alone."""
    if feedback.is_right:
        return case.tags("helpful")
    alone = feedback.is_right is False and len(case.cited_lines) == 1
    return case.tags("harmful" if alone else "neutral")
