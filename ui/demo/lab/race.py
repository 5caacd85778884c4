"""The demo *race*: one worker, sixteen whose changes are merged, and sixteen that overwrite each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.demo.lab import curves
from ui.demo.lab.curves import SEED
from ui.demo.lab.demo import LabDemo
from ui.demo.stage.bullet_text import name_of
from ui.demo.stage.picture import Column, Picture, Row

if TYPE_CHECKING:
    from agents.lab import ArmSummary, LabRun

ONE, MERGED, LAST_WINS = "one worker", "16 workers", "16 workers, last one wins"


def knowledge(run: LabRun, arm: str) -> dict[tuple[str, str], str]:
    """The bullets of an arm: section and text → what it is about."""
    return {
        (bullet.section, bullet.content): name_of(bullet.content) for bullet in run.playbook(arm, SEED).playbook().bullets
    }


def rounds(run: LabRun, summary: ArmSummary) -> int:
    """Steps that follow each other: each has as many questions as there are workers."""
    arm = next(one for one in run.description.arms if one.title == summary.arm)
    return -(-summary.samples // getattr(arm, "workers", 1))


def shared(run: LabRun, arm: str) -> tuple[int, int]:
    """The number of bullets of the one worker that an arm has, too; and of all bullets of the one worker."""
    serial, own = knowledge(run, ONE), knowledge(run, arm)
    return len(serial.keys() & own.keys()), len(serial)


def _begin(run: LabRun) -> Picture:
    calls = run.description.limits.calls
    return Picture(
        say=f"{curves.questions(run)} questions, at most {calls} model calls for each arm.",
        more="Sixteen workers answer sixteen questions at a time, all with the same revision of the playbook.",
        charts=[curves.recent_over_calls(run)],
    )


def _finish(run: LabRun) -> Picture:
    one, merged, last = run.summaries()
    return Picture(
        say=f"{rounds(run, one)} rounds with one worker, {rounds(run, merged)} with sixteen.",
        more=f"Model calls: {one.calls:,}, {merged.calls:,} and {last.calls:,}. Where one and sixteen do the same, the "
        "dashes lie on the line.",
        charts=[curves.recent(run), curves.bullets(run)],
    )


def _merged(run: LabRun) -> Picture:
    return _compared(run, MERGED, "Each change is applied to the stored playbook, in the order of the questions.")


def _last_wins(run: LabRun) -> Picture:
    lost = run.summary(LAST_WINS).lost
    return _compared(run, LAST_WINS, f"Each worker writes its whole playbook back: {lost:,} batches of changes were lost.")


def _compared(run: LabRun, arm: str, more: str) -> Picture:
    serial, own = knowledge(run, ONE), knowledge(run, arm)
    there, of = shared(run, arm)
    rows = [Row("kept", "✓", name) if key in own else Row("lost", "✗", name) for key, name in serial.items()]
    rows += [Row("new", "+", name) for key, name in own.items() if key not in serial]
    return Picture(
        say=f"{arm}: {there} of {of} bullets of the one worker.",
        more=more,
        columns=[Column("✓ the same text, ✗ missing, + another text", rows, short=True)],
    )


def _end(run: LabRun) -> Picture:
    one, merged, last = run.summaries()
    return Picture(
        say=f"Right: {one.right}, {merged.right} and {last.right} of {one.of}. Bullets: {one.bullets:.0f}, "
        f"{merged.bullets:.0f} and {last.bullets:.0f}.",
        more="Where the questions of a round teach the same thing, one of the workers may add it in other words.",
        charts=[curves.recent_over_calls(run), curves.bullets(run)],
    )


def figures(run: LabRun) -> list[str]:
    """The figures for a terminal."""
    rows: list[str] = []
    for one in run.summaries():
        there, of = shared(run, one.arm)
        lost = f", {one.lost:,} batches of changes lost" if one.lost else ""
        rows.append(
            f"{one.arm}: {one.right} of {one.of} right in {rounds(run, one)} rounds, {one.calls:,} calls; "
            f"{there} of {of} bullets of the one worker{lost}"
        )
    return rows


DEMO = LabDemo(
    name="race",
    pictures=(_begin, _finish, _merged, _last_wins, _end),
    figures=figures,
)
