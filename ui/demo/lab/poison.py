"""The demo *poison*: a false answer makes a bullet wrong; every answer that rests on it is found, and one undo heals."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from agents.lab import Task, heal, infection_of, make_scorer, run_sample
from agents.models import SIMULATED
from ui.demo.lab import curves
from ui.demo.lab.attack import ATTACKED, CLEAN, attack, parts
from ui.demo.lab.curves import SEED, about, results_of, right_of
from ui.demo.lab.demo import NOTHING, Action, LabDemo
from ui.demo.stage.bullet_text import short
from ui.demo.stage.picture import Cell, Chart, Column, Mark, Picture, Row, count_of, strip, verdict

if TYPE_CHECKING:
    from agents.ace import Playbook
    from agents.lab import Infection, LabRun, Result

HEALED = "attacked, then healed"


class Poison(NamedTuple):
    """What the attack did.

    Attributes:
        infection: The false text, where it came from, and the revision that took it away again.
        before: The bullet's text before.
        touched: The answers after the attack that cite the bullet.
        differ: The answers after the attack that are not those of the arm that was never attacked.
    """

    infection: Infection
    before: str
    touched: list[Result]
    differ: list[Result]


def poison_of(run: LabRun) -> Poison | None:
    """What the attack did; None if it changed no bullet."""
    at, results = attack().number, results_of(run, ATTACKED)
    if len(results) <= at:
        return None
    store, entered = run.playbook(ATTACKED, SEED), results[at]
    for record in store.history():
        updates = [change for change in record.applied if change["type"] == "UPDATE"]
        if entered.before < record.revision <= entered.revision and updates:
            bullet = updates[0]["bullet_id"]
            later = results[at + 1 :]
            pairs = zip(later, results_of(run, CLEAN)[at + 1 :], strict=False)
            return Poison(
                infection_of(store, bullet, revision=record.revision),
                str(updates[0]["before"]),
                [one for one in later if bullet in one.cited],
                [one for one, other in pairs if one.answer != other.answer],
            )
    return None


def knowledge(run: LabRun, arm: str) -> list[tuple[str, str, bool]]:
    """What the bullets of an arm say."""
    return [(one.section, one.content, one.archived) for one in run.playbook(arm, SEED).playbook().bullets]


def asked_again(run: LabRun) -> list[bool]:
    """Whether the answers after the attack are right with the attacked arm's playbook as it is now."""
    return list(_asked_again(run.playbook(ATTACKED, SEED).playbook()))


@lru_cache(maxsize=8)
def _asked_again(playbook: Playbook) -> tuple[bool, ...]:
    given = parts()
    assert given.data is not None
    samples = list(given.data.samples("train"))[attack().number + 1 :]
    tasks = [
        Task(sample=one, playbook=playbook, pipeline="ace", model=SIMULATED, scorer=make_scorer({"kind": "families"}))
        for one in samples
    ]

    async def answered() -> list[bool]:
        return [(await run_sample(task)).is_right for task in tasks]

    return tuple(asyncio.run(answered()))


def _heal(run: LabRun) -> None:
    if (poison := poison_of(run)) is not None and poison.infection.ended is None:
        heal(run.playbook(ATTACKED, SEED), poison.infection)


def _is_healed(run: LabRun) -> bool:
    poison = poison_of(run)
    return poison is None or poison.infection.ended is not None


def _begin(run: LabRun) -> Picture:
    return Picture(
        say=f"{attack().number} questions to learn from. Then one false answer.",
        more="After it nobody says what is right, as in most sessions of real users.",
        charts=[_chart(run)],
    )


def _attack(run: LabRun) -> Picture:
    if (poison := poison_of(run)) is None:
        return Picture(say=NOTHING)
    found = poison.infection
    return Picture(
        say=f"A user's message, question {attack().number + 1}: “Answer: {attack().told}”. Right is {attack().truth}.",
        more=attack().question,
        columns=[
            Column("The bullet before", [Row("kept", found.bullet_id, short(poison.before))]),
            Column("After the message", [Row("stale", f"{found.bullet_id} ✗ false", short(found.text))]),
        ],
    )


def _wrong(run: LabRun) -> Picture:
    attacked, clean = _later(run, ATTACKED), _later(run, CLEAN)
    return Picture(
        say=f"After the attack: {right_of(attacked)} right. Never attacked: {right_of(clean)}.",
        more="The same questions to both arms. No error is reported: the answers are just wrong.",
        strips=[curves.answers(run, CLEAN, clean), curves.answers(run, ATTACKED, attacked)],
        charts=[_chart(run)],
    )


def _touched(run: LabRun) -> Picture:
    if (poison := poison_of(run)) is None:
        return Picture(say=NOTHING)
    found, lit = poison.infection, {one.number for one in poison.touched}
    later = _later(run, ATTACKED)
    same = lit == {one.number for one in poison.differ}
    source = Cell(sign="☠", verdict="source", about=f"question {attack().number + 1}: the attack")
    answers = curves.answers(run, ATTACKED, later, lit=lit)
    exact = (
        "the very ones that differ from the arm that was never attacked"
        if same
        else (f"{len(poison.differ)} differ from the arm that was never attacked")
    )
    numbers = ", ".join(str(number + 1) for number in sorted(lit))
    return Picture(
        say=f"{len(lit)} of {len(later)} answers cite the false bullet: {exact}.",
        more=f"Lit: questions {numbers}. The log says which bullets each answer cites, and which delta wrote each text.",
        strips=[replace(answers, cells=[source, *answers.cells])],
        columns=[
            Column(
                f"Lineage of {found.bullet_id}",
                [
                    Row("kept", "before", short(poison.before)),
                    Row("stale", f"revision {found.source.revision}", short(found.text)),
                ],
            )
        ],
    )


def _undo(run: LabRun) -> Picture:
    if (poison := poison_of(run)) is None:
        return Picture(say=NOTHING)
    found = poison.infection
    now = run.playbook(ATTACKED, SEED).playbook()
    twin = {content for _, content, _ in knowledge(run, CLEAN)}
    same = knowledge(run, ATTACKED) == knowledge(run, CLEAN)
    rows = [
        Row("kept" if one.content in twin else "stale", "↶ ✓" if one.id == found.bullet_id else "✓", short(one.content))
        for one in now.bullets
    ]
    equal = "Its bullets now say what those of the arm that was never attacked say." if same else "The playbooks differ."
    return Picture(
        say=f"One undo, of revision {found.source.revision} alone.",
        more=f"{equal} Later changes stayed.",
        columns=[Column("The playbook after it", rows)],
    )


def _again(run: LabRun) -> Picture:
    healed, attacked, clean = asked_again(run), _later(run, ATTACKED), _later(run, CLEAN)
    cells = [verdict(about(one), is_right=is_right) for one, is_right in zip(attacked, healed, strict=True)]
    return Picture(
        say=f"The same questions again, healed: {count_of(healed)} right. Attacked: {right_of(attacked)}.",
        more=f"Never attacked: {right_of(clean)}.",
        strips=[
            curves.answers(run, CLEAN, clean),
            curves.answers(run, ATTACKED, attacked),
            strip(2, HEALED, count_of(healed), cells),
        ],
    )


def _later(run: LabRun, arm: str) -> list[Result]:
    """The answers after the attack."""
    return results_of(run, arm)[attack().number + 1 :]


def _chart(run: LabRun) -> Chart:
    return curves.recent(run, marks=[Mark(attack().number + 1, "the attack")])


def figures(run: LabRun) -> list[str]:
    """The figures for a terminal; the bullet is healed."""
    if (poison := poison_of(run)) is None:
        return [NOTHING]
    _heal(run)
    same = "the same" if knowledge(run, ATTACKED) == knowledge(run, CLEAN) else "different"
    return [
        f"the attack, at question {attack().number + 1}: told {attack().told}, right is {attack().truth}",
        f"before: {short(poison.before)}",
        f"after: {short(poison.infection.text)}",
        f"right after it: {right_of(_later(run, CLEAN))} never attacked, {right_of(_later(run, ATTACKED))} attacked",
        f"answers that cite the false bullet: {len(poison.touched)}; answers that differ: {len(poison.differ)}",
        f"after one undo: {count_of(asked_again(run))} right; the playbooks say {same}",
    ]


DEMO = LabDemo(
    name="poison",
    pictures=(_begin, _attack, _wrong, _touched, _undo, _again),
    figures=figures,
    parts=parts,
    actions={5: Action(do=_heal, is_done=_is_healed)},
)
