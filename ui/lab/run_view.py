"""One run, live: how far it is, its curves, what its arms came to, and the answer that was clicked."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from agents import PlaygroundError
from agents.lab import report_page
from agents.runs import SIMULATED
from ui.access import owner
from ui.lab import actions, answer, arms, charts
from ui.lab.charts import Line, Over
from ui.lab.shown import Shown
from ui.state import address, navigation, notices, runs
from ui.state.options import model_choices
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import many, plain

if TYPE_CHECKING:
    from agents.jobs import Job
    from agents.lab import ArmSummary, LabRun, Point, Progress
    from ui.state.address import Address

REFRESH = 1.0
"""Seconds between two drawings of a run that is worked on."""
HEIGHT, SMALL = 380, 220
_OVER, _RECENT, _CHART, _BESIDE = "lab_over", "lab_recent", "lab_chart", "lab_beside"
_NO_OTHER = ""
_COUNTS = {False: "all so far", True: "the last 20"}
_MINUTE = 60


def draw(run: LabRun, here: Address) -> None:
    """Draws the run."""
    work = runs.workspace().lab_jobs.of(run.name)
    is_live = work is not None and work.goes_on
    _head(run, here, work)
    st.fragment(_live, run_every=REFRESH if is_live else None)(run.name, is_live)


def _head(run: LabRun, here: Address, work: Job[Progress] | None) -> None:
    with st.container(key="lab_head", horizontal=True, vertical_alignment="center", gap="small"):
        st.header(plain(run.name), anchor=False, width="content")
        model = run.description.model
        if model == SIMULATED:
            st.badge("simulated", color="orange", help="Answers are computed on this machine. No model is asked.")
        else:
            st.badge(model_choices.short(model), color="blue")
        st.space("stretch")
        locked = not owner.is_owner()
        if work is not None and work.goes_on:
            stop = "Stopping …" if work.is_stopping else "Stop"
            about = "Ends after the questions of the moment. It can be resumed."
            blocked = locked or work.is_stopping
            st.button(
                stop,
                key="lab_stop",
                icon=":material/stop:",
                help=about,
                disabled=blocked,
                on_click=actions.stop,
                args=(run.name,),
            )
        elif run.status != "finished":
            st.button(
                "Resume",
                key="lab_resume",
                icon=":material/play_arrow:",
                type="primary",
                disabled=locked,
                on_click=actions.resume,
                args=(run.name,),
            )
        _beside(run.name, here)
        _report(run.name)
        navigation.to_lab("→ All runs", here)


def _beside(name: str, here: Address) -> None:
    """Draws the choice of another run to compare with, if there is one."""
    names = [one for one in runs.workspace().lab.names() if one != name]
    if not names:
        return
    st.selectbox(  # no choice is an option, since Streamlit's button that clears a choice is too small
        "Compare with",
        [_NO_OTHER, *names],
        key=key_for(_BESIDE, here.beside if here.beside in names else _NO_OTHER),
        format_func=lambda name: name or "Compare with …",
        label_visibility="collapsed",
        width=200,
        on_change=if_chosen(actions.put_beside),
        args=(_BESIDE,),
    )


def _report(name: str) -> None:
    """Draws the button that downloads the report; it is written when the button is clicked."""
    lab = runs.workspace().lab
    st.download_button(
        "Report",
        lambda: report_page(lab, name),
        f"{name}.html",
        "text/html",
        key="lab_report",
        icon=":material/download:",
        help="One HTML page with the plots. It needs no server and no network.",
        on_click="ignore",
    )


def _live(name: str, was_live: bool) -> None:
    work = runs.workspace().lab_jobs.of(name)
    has_ended = was_live and not (work is not None and work.goes_on)
    if has_ended or actions.is_led_away(name):
        st.rerun()  # the head has other buttons, or another page or run is to be shown
    notices.show()
    try:
        with runs.workspace().lab.open(name) as run, ExitStack() as stack:
            _progress(run, work)
            beside, summaries = _opened_beside(address.current(), stack), run.summaries()
            lines, titles = _lines(run, beside)
            _accuracy(lines, titles, summaries)
            if (shown := Shown.read(address.current().sample)) is not None:
                answer.draw(run, shown)  # beside the chart that was clicked
            else:
                _first_answer(run)
            _sizes(lines, titles)
            arms.draw(run, summaries, beside, is_live=work is not None and work.goes_on)
            _about(run)
    except PlaygroundError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _opened_beside(here: Address, stack: ExitStack) -> LabRun | None:
    """The run to compare with; None if there is none."""
    if here.beside is None or here.beside == here.run:
        return None
    with suppress(PlaygroundError):  # it was removed, it is damaged, or the address is wrong
        return stack.enter_context(runs.workspace().lab.open(here.beside))
    return None


def _progress(run: LabRun, work: Job[Progress] | None) -> None:
    if work is not None and work.problem:
        st.error(f"**It has ended early.** {plain(work.problem)}", icon=":material/error:")
    if work is None or not work.goes_on:
        if run.status != "finished":
            done = many(sum(one.number for one in run.standings()), "answer")
            st.caption(f"Not finished: {done} so far, all kept. *Resume* goes on from there.")
        return
    if (now := work.progress) is None:
        st.progress(0.0, text="Beginning …")
        return
    left = "" if now.seconds_left is None else f" · {_time(now.seconds_left)} left"
    st.progress(min(1.0, now.done / max(1, now.total)), text=f"{now.done:,} of {many(now.total, 'answer')}{left}")


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _MINUTE else f"{seconds / _MINUTE:.0f} min"


def _lines(run: LabRun, beside: LabRun | None) -> tuple[list[Line], list[str]]:
    """The curves of all arms and seeds, and the arms in order."""
    shown = [run] if beside is None else [run, beside]
    lines = [
        Line(arms.label(of, arm.title, run), seed, points)
        for of in shown
        for arm in of.description.arms
        for seed in of.description.seeds
        if (points := curve(of, arm.title, seed))
    ]
    return lines, [arms.label(of, arm.title, run) for of in shown for arm in of.description.arms]


def _accuracy(lines: list[Line], titles: list[str], summaries: list[ArmSummary]) -> None:
    """Draws the right answers of the arms."""
    if not lines:
        st.info("No answer yet.", icon=":material/hourglass_top:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="lab_choices"):
        over: Over = st.segmented_control(
            "Right answers over",
            list(charts.OVER),
            format_func=charts.OVER.__getitem__,
            default=next(iter(charts.OVER)),
            key=_OVER,
            required=True,
        )
        recent = st.segmented_control(
            "Of", list(_COUNTS), format_func=_COUNTS.__getitem__, default=False, key=_RECENT, required=True
        )
        st.markdown(" · ".join(charts.legend(plain(arm), place) for place, arm in enumerate(titles)), width="content")
    key = f"{_CHART}_{actions.closed()}"  # a new chart has no point chosen, so the one of before can be clicked again
    st.vega_lite_chart(
        spec=charts.accuracy(lines, titles, over=over, recent=bool(recent)),
        height=HEIGHT,
        alt=_alt(summaries),
        key=key,
        on_select=partial(_pick, key),
        selection_mode=charts.MARKS,
    )


def _first_answer(run: LabRun) -> None:
    """Draws the way to single answers, and says that points can be clicked."""
    if (first := next((one for one in reversed(run.standings()) if one.number), None)) is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            there = str(Shown(first.arm, first.seed, 1))
            st.button("Look at single answers", key="lab_answers", on_click=actions.show, args=(there,))
            st.caption("or click a point: its question, its bullets, and what was learned from it.")


def _sizes(lines: list[Line], titles: list[str]) -> None:
    """Draws the sizes of the arms' playbooks."""
    if not lines:
        return
    bullets, tokens = st.columns(2, gap="medium")
    with bullets:
        st.markdown("**Bullets** of the playbook")
        st.vega_lite_chart(spec=charts.size(lines, titles, of="bullets"), height=SMALL, alt="Bullets over questions")
    with tokens:
        st.markdown("**Tokens** of the playbook")
        st.vega_lite_chart(spec=charts.size(lines, titles, of="playbook_tokens"), height=SMALL, alt="Tokens over questions")


def _alt(summaries: list[ArmSummary]) -> str:
    said = (f"{one.arm} {one.right} of {one.of}" for one in summaries)
    return f"Share of right answers by arm: {', '.join(said)}"


def _pick(key: str) -> None:
    """Shows the answer whose point was clicked; a click beside the points changes nothing."""
    picked = st.session_state[key].selection.get(charts.MARKS)
    if not picked or not isinstance(question := picked[0].get("question"), int):
        return
    name, is_of_other, arm = str(picked[0]["arm"]).rpartition(arms.OF)
    sample = str(Shown(arm, int(picked[0]["seed"]), question))
    if is_of_other:
        actions.show_of(name, sample)
    else:
        actions.show(sample)


def curve(run: LabRun, arm: str, seed: int) -> tuple[Point, ...]:
    """The curve of an arm and seed; it is read again only when the arm has gone on."""
    standing = next((one for one in run.standings() if (one.arm, one.seed) == (arm, seed)), None)
    return () if standing is None else _curve(runs.workspace().lab.folder, run.name, arm, seed, standing.number)


@lru_cache(maxsize=64)
def _curve(folder: Path, name: str, arm: str, seed: int, number: int) -> tuple[Point, ...]:  # noqa: ARG001  the cache's key
    with runs.workspace().lab.open(name) as run:
        return tuple(run.curve(arm, seed))


def _about(run: LabRun) -> None:
    if run.origin.about:
        st.caption(plain(run.origin.about))
    if run.origin.skipped_lines:
        with st.expander(run.origin.skipped_lines, icon=":material/warning:"):
            st.markdown("\n".join(f"- {plain(one)}" for one in run.origin.problems))
            if sum(run.origin.skipped.values()) > len(run.origin.problems):
                st.caption(f"The first {len(run.origin.problems)} are listed.")
    with st.expander("Its description"):
        st.code(runs.workspace().lab.text(run.name), language="toml", wrap_lines=True)
        st.caption("`playground lab report` prints the figures, and `playground lab compare` puts two runs side by side.")
