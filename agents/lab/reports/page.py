"""A run as one HTML page with its plots. It has no script, needs no server, and its policy lets nothing be fetched."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from agents.lab.description.arms import HeldOut
from agents.lab.lab import Lab
from agents.lab.reports.curves import CHARTS, Line, drawn, swatch
from agents.lab.reports.rows import simulation_note
from agents.lab.reports.sections import arms_table, by_label, differences, limits, wrong_answers
from agents.lab.reports.shown_text import shown
from agents.lab.results.comparison import Comparison
from agents.lab.results.lab_run import STATUS_WORDS, ArmSummary, LabRun
from agents.models import SIMULATED

MOST_DESCRIPTION = 20_000
"""Most characters of the description that are shown."""
MOST_NAMED = 300
"""Most characters of what stands in the head."""

_SHOWN = 12
_NOT_SAID = "The data set does not say what it can show."
_METHOD = (
    "Intervals of accuracies are Wilson intervals at 95 % over questions: seeds are orders of the same questions, and no "
    "new ones. Differences have Tango’s score interval and the p-value of McNemar’s test that belongs to it, both with "
    "continuity correction and, with several seeds, with questions as clusters. Failed samples count as wrong; an answer "
    "that is right in part counts in part in the mean score. Calls, tokens and cost are those of all agents, for all "
    "samples. Bullets are an average over seeds."
)
_BAND = "The band around it is the 95 % interval over the questions so far."
_ALL_PHASES = (
    "The curves of an offline arm have all of its samples, also those of training and validation; a question that is "
    "answered again does not make its band narrower."
)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Agent Playground">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def report_page(lab: Lab, name: str) -> str:
    """The report of a run, also of one that goes on or has no result yet.

    Raises:
        LabError: There is no such run.
    """
    with lab.open(name) as run:
        body = "\n".join(_sections(lab, run))
    policy = f"default-src 'none'; style-src '{_hash(_style())}'; base-uri 'none'; form-action 'none'"
    return _PAGE.format(policy=policy, title=f"{shown(name)}: lab report", style=_style(), body=body)


def _sections(lab: Lab, run: LabRun) -> Iterator[str]:
    summaries, comparisons = run.summaries(), list[Comparison]()
    yield _head(run)
    yield f'<h2>Arms</h2>{arms_table(summaries)}<p class="note">{_METHOD}</p>{_note(run)}'
    if len(summaries) > 1 and any(one.of for one in summaries):
        comparisons = run.differences()
        yield f"{differences(run, comparisons)}{_note(run)}"
    yield _curves(run, summaries)
    if labels := by_label(run, summaries):
        yield f"<h2>By label</h2>{labels}"
    yield f"<h2>What cannot be concluded</h2>{limits(run, summaries, comparisons)}"
    yield f"<h2>What the data can show</h2><p>{shown(run.origin.about or _NOT_SAID)}</p>{_skipped(run)}"
    if wrong := wrong_answers(run, summaries):
        yield f"<h2>Wrong answers</h2>{wrong}"
    yield f"<h2>Description</h2><pre>{shown(lab.text(run.name), most=MOST_DESCRIPTION)}</pre>"


def _head(run: LabRun) -> str:
    told = run.description
    simulated = '<span class="badge">simulated</span>' if told.model == SIMULATED else ""
    data = told.data if isinstance(told.data, str) else ", ".join(f"{name} {value}" for name, value in told.data.items())
    what = {
        "status": STATUS_WORDS[run.status],
        "data": data,
        "pipeline": told.pipeline,
        "model": told.model,
        "split": told.split,
        "temperature": "each model's own" if told.temperature is None else f"{told.temperature:g}",
        **({"repeats": str(told.repeats)} if told.repeats > 1 else {"seeds": ", ".join(map(str, told.seeds))}),
        "begun": run.origin.begun or "not known",
        "playground": run.origin.playground,
        "fingerprints": f"data {run.origin.data[:_SHOWN]}, pipeline {run.origin.pipeline[:_SHOWN]}",
    }
    items = "".join(f"<div><dt>{name}</dt><dd>{shown(said, most=MOST_NAMED)}</dd></div>" for name, said in what.items())
    return f'<header><h1>{shown(run.name)} {simulated}</h1><dl class="what">{items}</dl></header>'


def _skipped(run: LabRun) -> str:
    if not run.origin.skipped_lines:
        return ""
    problems = "".join(f"<li>{shown(one)}</li>" for one in run.origin.problems)
    return f"<p>{shown(run.origin.skipped_lines)}</p><ul>{problems}</ul>"


def _note(run: LabRun) -> str:
    note = simulation_note(run)
    return f'<p class="closed">{note}</p>' if note else ""


def _curves(run: LabRun, summaries: Sequence[ArmSummary]) -> str:
    places = {one.arm: place for place, one in enumerate(summaries)}
    held_out = any(isinstance(arm, HeldOut) for arm in run.description.arms)
    lines = [Line(places[one.arm], run.curve(one.arm, one.seed)) for one in run.standings()]
    lines = [line for line in lines if line.points]
    if not lines:
        return "<h2>Curves</h2><p>No answer yet.</p>"
    legend = "".join(f"<li>{swatch(place)} {shown(arm)}</li>" for arm, place in places.items())
    mark = " Simulated learner." if run.description.model == SIMULATED else ""
    figures = "".join(
        f"<figure><figcaption>{chart.title}.{mark}</figcaption>{drawn(chart, lines)}</figure>" for chart in CHARTS
    )
    note = f'<p class="note">A line for each arm and seed. {_BAND} {_ALL_PHASES if held_out else ""}</p>'
    return f'<h2>Curves</h2><ul class="legend">{legend}</ul><div class="figures">{figures}</div>{note}'


@cache
def _style() -> str:
    return "\n" + Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
