from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from agents import InMemorySessionService
from agents.ace import DeltaBatch, Playbook, PlaybookStore, StoredBullet
from agents.errors import LabError
from agents.lab import Sample, Task
from agents.lab.attribution import Key, answer_by, attribute, separation
from agents.lab.data.generated.formulas import sample_of
from agents.lab.scorers import make_scorer
from agents.pipelines.ace.families import FAMILIES, draw_question
from agents.pipelines.ace.simulation import SIMULATION
from agents.pipelines.ace.simulation.bullets import lines_in
from agents.pipelines.ace.simulation.generator import answer as simulated_answer
from tests.agents.lab.cycles import played

pytestmark = pytest.mark.anyio

NEEDED = ("weekly pay", "commission", "working capital", "pressure", "monthly instalment", "return on equity")
MISLED = ("density", "voltage", "debt to equity ratio", "gross margin")
"""Families whose right formula stands behind a wrong one that is trusted more."""
UNASKED = ("quick ratio", "final balance", "yearly depreciation", "power", "force", "work")
FAMILY = {family.name: family for family in FAMILIES}


def planted():
    """A playbook, and the part that each bullet plays; the right formulas behind the wrong ones play none."""
    bullets, parts = [], {}

    def add(part, content):
        id_ = f"p-{len(bullets) + 1:05}"
        bullets.append(StoredBullet(id_, "FORMULAS", content, place=len(bullets)))
        parts[id_] = part

    for name in MISLED:
        add(None, f"{name} = {FAMILY[name].formula}")
    for name in NEEDED:
        add("needed", f"{name} = {FAMILY[name].formula}")
    for name in UNASKED:
        add("decoy", f"{name} = {FAMILY[name].formula}")
    add("decoy", "Always read the question twice before you answer.")
    for name in MISLED:
        add("harmful", f"{name} = {' + '.join(FAMILY[name].given)}")
    return Playbook(bullets, name="planted"), {id_: part for id_, part in parts.items() if part}


def drawn(each=4):
    rng = Random(7)
    for number in range(each):
        for name in (*NEEDED, *MISLED):
            sample = sample_of(draw_question(FAMILY[name], rng))
            yield Sample(id=f"{name} {number}", question=sample.question, truth=sample.truth, labels=sample.labels)


async def score(sample, playbook):
    given = simulated_answer(sample.question, lines_in(playbook.as_prompt())).final_answer
    return (await make_scorer({"kind": "families"}).score(given, sample)).value


async def test_the_ranking_separates_planted_bullets():
    playbook, parts = planted()
    found = await attribute(list(drawn()), playbook, score)
    assert separation(found.effects, parts).by_effect >= 0.98
    assert found.score == pytest.approx(len(NEEDED) / (len(NEEDED) + len(MISLED)))
    for effect in found.effects:
        part = parts.get(effect.bullet.id)
        assert effect.effect in effect.interval
        if part == "needed":
            assert (effect.helped, effect.harmed) == (4, 0)
            assert effect.p > 0.05  # four answers show nothing by themselves, and the interval says the same
            assert effect.interval.low < 0 < effect.effect
        elif part == "harmful":
            assert (effect.helped, effect.harmed) == (0, 4)
            assert effect.effect < 0 < effect.interval.high
        else:
            assert (effect.effect, effect.p) == (0, 1)
            assert effect.interval.low == -effect.interval.high < 0


def curate_nothing(request):
    return json.dumps({"reasoning": "", "operations": []})


@pytest.mark.parametrize(("feedback", "low", "high"), [("ground truth", 0.9, 1.0), ("nothing", 0.5, 0.5)])
async def test_counters_separate_only_where_there_was_feedback(feedback, low, high):
    """The counters that the pipeline's own reflector leaves on the same bullets, from the same samples."""
    playbook, parts = planted()
    samples = list(drawn(2))
    simulation, scorer = {**SIMULATION, "CuratorModel": curate_nothing}, make_scorer({"kind": "families"})
    _, store = await played(
        samples,
        scorer,
        simulation=simulation,
        pruning=False,
        playbook=playbook,
        feedback=feedback,
    )
    measured = (await attribute(samples, playbook, score)).effects
    counted = [replace(one, bullet=store.playbook().get(one.bullet.id)) for one in measured]
    by_effect, by_counters = separation(counted, parts)
    assert by_effect >= 0.98
    assert low <= by_counters <= high


async def test_a_worker_answers_as_in_a_run():
    playbook, parts = planted()
    ids = [next(id_ for id_, part in parts.items() if part == wanted) for wanted in ("needed", "decoy", "harmful")]
    scorer = make_scorer({"kind": "families"})
    some = list(drawn(1))
    task = Task(sample=some[0], playbook=playbook, pipeline="ace", model="simulated", scorer=scorer)
    by_worker = await attribute(some, playbook, answer_by(task), bullet_ids=ids)
    assert by_worker == await attribute(some, playbook, score, bullet_ids=ids)
    assert [one.effect for one in by_worker.effects] == [0.1, 0, -0.1]


async def test_a_sample_that_failed_is_no_score():
    playbook, _ = planted()
    some = list(drawn(1))
    task = Task(
        sample=some[0], playbook=playbook, pipeline="no such", model="simulated", scorer=make_scorer({"kind": "exact"})
    )
    with pytest.raises(LabError, match=r"weekly pay 0 has no score.*no such"):
        await attribute(some, playbook, answer_by(task))


# -- the measure itself


def samples(count):
    return [Sample(id=f"s{number}", question=f"{number}?") for number in range(count)]


def table(playbook_name="p", revision=3):
    bullets = [StoredBullet(f"b-{number:05}", "A", f"text {number}", place=number) for number in range(3)]
    return Playbook(bullets, name=playbook_name).replace(revision=revision)


class Counting:
    """Bullet 1 makes even samples right, bullet 2 makes the first sample wrong."""

    def __init__(self):
        self.asked = []

    async def __call__(self, sample, playbook):
        self.asked.append((sample.id, len(playbook)))
        if sample.id == "s0" and "b-00002" in playbook:
            return 0.0
        return 1.0 if int(sample.id[1:]) % 2 == 0 and "b-00001" in playbook else 0.5


async def test_an_effect_is_the_mean_difference():
    found = await attribute(samples(4), table(), Counting())
    effects = {one.bullet.id: one for one in found.effects}
    assert [one.bullet.id for one in found.effects] == ["b-00001", "b-00000", "b-00002"]
    assert effects["b-00001"].effect == 0.125
    assert effects["b-00002"].effect == -0.25
    assert (effects["b-00002"].helped, effects["b-00002"].harmed) == (0, 1)
    assert (found.samples, found.score) == (4, 0.5)


async def test_what_is_cached_is_not_asked_again():
    answer, cache = Counting(), {}
    first = await attribute(samples(2), table(), answer, cache=cache)
    assert len(answer.asked) == len(cache) == (3 + 1) * 2
    assert await attribute(samples(2), table(), answer, cache=cache) == first
    assert len(answer.asked) == 8
    await attribute(samples(3), table(), answer, cache=cache)
    assert len(answer.asked) == 8 + 4
    await attribute(samples(3), table(revision=4), answer, cache=cache)
    assert len(answer.asked) == 8 + 4 + 12
    assert Key("p", 3, "b-00001", "s0") in cache


async def test_only_chosen_bullets_are_measured():
    answer = Counting()
    found = await attribute(samples(2), table(), answer, bullet_ids=["b-00002"])
    assert [one.bullet.id for one in found.effects] == ["b-00002"]
    assert len(answer.asked) == 4


async def test_an_archived_bullet_is_in_no_prompt_and_not_measured():
    store = PlaybookStore(InMemorySessionService().tables)
    added = [{"type": "ADD", "section": "A", "content": text} for text in ("one", "two")]
    ids = [change["bullet_id"] for change in store.commit(DeltaBatch(operations=added)).applied]
    store.commit(DeltaBatch(operations=[{"type": "ARCHIVE", "bullet_id": ids[0]}]))
    found = await attribute(samples(1), store.playbook(), Counting())
    assert [one.bullet.id for one in found.effects] == ids[1:]


async def test_a_failure_is_passed_on_and_nothing_is_lost():
    answer, cache = Counting(), {}

    async def fails_late(sample, playbook):
        if len(cache) == 5:
            raise RuntimeError("no network")
        return await answer(sample, playbook)

    with pytest.raises(RuntimeError, match="no network"):
        await attribute(samples(4), table(), fails_late, cache=cache)
    assert len(cache) == 5


async def test_nothing_to_measure_is_refused():
    with pytest.raises(ValueError, match="at least one sample"):
        await attribute([], table(), Counting())
    found = await attribute(samples(1), table(), Counting())
    with pytest.raises(ValueError, match="two kinds"):
        separation(found.effects, {"b-00001": "needed"})
