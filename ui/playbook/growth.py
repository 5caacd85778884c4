"""Charts of a playbook's growth: right answers, bullets, usefulness and tokens over its revisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from agents.ace import DeltaRecord, GrowthPoint, JudgedAnswer
from agents.lab import wilson
from ui.kit import accuracy_chart
from ui.kit.accuracy_chart import BAND, MARKS
from ui.kit.charts import GREEN, GREY, RED, VIOLET, apart, count
from ui.playbook import session_link, view_state
from ui.playbook.shown_playbook import ShownPlaybook
from ui.text.judged_answers import FEEDBACK, VERDICTS, Point, coloured, points
from ui.text.labels import many, plain

MOST_POINTS = 400
"""Most points of a line. Of a longer history every n-th point is drawn, and always the first and the last."""
HEIGHT = 280
TAGS_SHOWN = ("helpful", "harmful")
VERIFIED = "Tags that feedback verified. Neutral tags, of bullets that were only used, are not drawn."
ACCURACY_HEIGHT, GROWTH_HEIGHT = 380, 150
MOST_DELTAS = 4
"""Deltas after an answer that are linked: its tags, its lesson and their refinement."""
MOST_RECORDS = 20
"""Deltas that are searched for them."""
FEW = 10
"""Judged answers below which the page says that they are few."""
_CHART, _NUMBER, _OF = "accuracy_chart", "accuracy_question", "accuracy_playbook"
NOTHING_JUDGED = """**No answer with this playbook was judged yet.** A verdict comes with the question, or after it:

- End a question with a line `Answer: …`. The generator never sees it; the answer is compared with it.
- Give an answer a 👍 or 👎 in its session, or report what came of it, e.g. an exit code.
- Press *Watch it learn* above: sixty questions with known answers."""


def show(found: ShownPlaybook) -> None:
    """Draws the answers first, then what the playbook holds, with a vertical line at the shown revision."""
    growth = [GrowthPoint(0, found.info.created_at, 0, 0, 0, 0), *found.store.growth()]
    _accuracy(found, growth)
    if len(growth) < 2:  # noqa: PLR2004  a line needs two ends
        st.info("**Nothing has grown yet.** Each delta is a point here once there is one.", icon=":material/show_chart:")
        return
    drawn = thinned(growth)
    shown = found.shown.revision
    last = growth[-1]
    with st.container(key="charts", gap="medium"):
        bullets, useful, tokens = st.columns(3, gap="medium")
        with bullets:
            st.subheader("Bullets", anchor=False)
            _chart(drawn, ("bullets",), shown, f"Bullets over revisions; {last.bullets:,} at revision {last.revision:,}")
        with useful:
            st.subheader("Usefulness", anchor=False, help=VERIFIED)
            _chart(
                drawn, TAGS_SHOWN, shown, f"Verified tags over revisions; {last.helpful:,} helpful, {last.harmful:,} harmful"
            )
        with tokens:
            st.subheader("Tokens", anchor=False, help="Of the bullets in prompts, as estimated here")
            _chart(drawn, ("tokens",), shown, f"Tokens over revisions; {last.tokens:,} at revision {last.revision:,}")
        st.caption(f"The dashed line is revision {shown:,}, the one on the slider.")


def thinned(points: Sequence[GrowthPoint]) -> list[GrowthPoint]:
    """At most `MOST_POINTS` of the points, evenly spaced, with both ends."""
    if len(points) <= MOST_POINTS:
        return list(points)
    last = len(points) - 1
    return [points[round(at * last / (MOST_POINTS - 1))] for at in range(MOST_POINTS)]


def _chart(points: Sequence[GrowthPoint], names: Sequence[str], shown: int, alt: str) -> None:
    st.vega_lite_chart(spec=specification(points, names, shown), height=HEIGHT, alt=alt)


def specification(points: Sequence[GrowthPoint], names: Sequence[str], shown: int) -> dict[str, Any]:
    """A line chart as a Vega-Lite specification.

    Args:
        points: The data.
        names: The fields to draw, one line each; two lines also differ in their dashes.
        shown: The revision that is marked.
    """
    values = [
        {"revision": point.revision, "what": name, "count": getattr(point, name)} for point in points for name in names
    ]
    revision = count("revision", title="revision")
    tooltip = [{"field": name} for name in ("revision", "what", "count")]
    encoding: dict[str, Any] = {"x": revision, "y": count("count"), "tooltip": tooltip, "color": {"value": VIOLET}}
    if len(names) > 1:
        legend = {"title": None, "orient": "top", "direction": "vertical", "labelFontSize": 14}
        encoding["color"] = apart("what", dict(zip(names, (GREEN, RED), strict=True)), legend=legend)
        encoding["strokeDash"] = apart("what", dict(zip(names, ([1, 0], [5, 3]), strict=True)), legend=legend)
    return {
        "layer": [
            {
                "data": {"values": values},
                "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2},
                "encoding": encoding,
            },
            {
                "data": {"values": [{"revision": shown}]},
                "mark": {"type": "rule", "strokeDash": [4, 4], "color": GREY},
                "encoding": {"x": revision},
            },
        ],
    }


def _accuracy(found: ShownPlaybook, growth: Sequence[GrowthPoint]) -> None:
    """Draws the chart and one of its questions; without judged answers, how to get some.

    Args:
        found: The shown playbook.
        growth: Its totals by revision.
    """
    answers = found.store.answers()
    with st.container(key="accuracy", gap="small"):
        st.subheader("Right answers", anchor=False)
        if not any(answer.right is not None for answer in answers):
            st.info(NOTHING_JUDGED + _unchecked(len(answers)), icon=":material/rule:")
            return
        drawn = points(answers)
        st.markdown(f"{_totals(answers)}  \n{accuracy_chart.LEGEND}")
        _accuracy_chart(found.name, drawn, growth)
        _question(found, drawn)


def _unchecked(count: int) -> str:
    return f"\n\n{many(count, 'answer')} so far, none of them checked." if count else ""


def _totals(answers: Sequence[JudgedAnswer]) -> str:
    counts = {right: sum(answer.right is right for answer in answers) for right in VERDICTS}
    judged = counts[True] + counts[False]
    low, high = wilson(counts[True], judged)
    said = f"**{counts[True]:,} of {judged:,} right** ({counts[True] / judged:.0%}) · {BAND} {low:.0%} to {high:.0%}"
    few = " · few answers, so the share says little" if judged < FEW else ""
    return said + few + (f" · {many(counts[None], 'answer')} unchecked" if counts[None] else "")


def _accuracy_chart(name: str, points: Sequence[Point], growth: Sequence[GrowthPoint]) -> None:
    if st.session_state.get(_OF) != name or st.session_state.get(_NUMBER, 0) > len(points):
        st.session_state[_OF], st.session_state[_NUMBER] = name, len(points)
    last = points[-1]
    st.vega_lite_chart(
        spec=accuracy_chart.specification(drawn := accuracy_chart.thinned(points)),
        height=ACCURACY_HEIGHT,
        alt=f"Share of right answers over {many(last.number, 'question')}; {last.share or 0:.0%} at the end",
        key=_CHART,
        on_select=_pick,
        selection_mode=MARKS,
    )
    if (every := accuracy_chart.step(len(points))) > 1:
        st.caption(f"Of {len(points):,} questions every {every:,}th has a mark; the lines count all of them.")
    st.markdown("**Bullets at each question**")
    st.vega_lite_chart(
        spec=accuracy_chart.growth_specification(drawn, growth),
        height=GROWTH_HEIGHT,
        alt=f"Bullets at each question; {growth[-1].bullets if growth else 0:,} now",
    )


def _pick() -> None:
    """Shows the question that was clicked; a click beside the marks changes nothing."""
    picked = st.session_state[_CHART].selection.get(MARKS)
    if picked and isinstance(number := picked[0].get("number"), int):
        st.session_state[_NUMBER] = number


def _question(found: ShownPlaybook, points: Sequence[Point]) -> None:
    with st.container(key="accuracy_detail", border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            number = st.number_input(
                "Question", 1, len(points), key=_NUMBER, width=150, help="Or click a mark in the chart."
            )
            answer = points[number - 1].answer
            st.markdown(
                f"**{coloured(answer.right)}**, judged by {FEEDBACK[answer.feedback]}, at revision {answer.revision:,}",
                width="content",
            )
        st.markdown(plain(answer.question) or "*The question was not stored.*")
        _links(found, points, answer)


def _links(found: ShownPlaybook, points: Sequence[Point], answer: JudgedAnswer) -> None:
    with st.container(horizontal=True, gap="medium", key="accuracy_links"):
        session_link.show(found, answer.app_name, answer.session_id, answer.seq)
        for record in deltas_after(found, [point.answer for point in points], answer):
            label = f"→ Revision {record.revision:,}, by the {plain(record.by)}"
            key = f"accuracy_revision_{record.revision}"
            st.button(label, key=key, type="tertiary", on_click=view_state.show_delta, args=(record.revision,))


def deltas_after(found: ShownPlaybook, answers: Sequence[JudgedAnswer], answer: JudgedAnswer) -> list[DeltaRecord]:
    """The deltas that followed from an answer: those of its session, up to the session's next answer."""
    later = [other.revision for other in answers if _key(other) == _key(answer) and other.seq > answer.seq]
    until = min(later, default=found.newest.revision)
    until = min(until, answer.revision + MOST_RECORDS)
    records = found.store.history(limit=until - answer.revision, before=until + 1) if until > answer.revision else []
    own = [record for record in reversed(records) if (record.app_name, record.session_id) == _key(answer)]
    return own[:MOST_DELTAS]


def _key(answer: JudgedAnswer) -> tuple[str, str]:
    return answer.app_name, answer.session_id
