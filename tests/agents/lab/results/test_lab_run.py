"""The results of a run as they are read: summaries, curves, sessions, comparisons."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents import InMemorySessionService
from agents.ace import PlaybookStore
from agents.ace.store.reducer import ledger_of
from agents.errors import LabError, ProviderError
from agents.lab import Lab, LabRun, Sample, Score
from agents.lab.results.comparison import Verdict, compared, corrected
from agents.lab.results.lab_run import MOST_POINTS
from agents.lab.results.run_store import RunStore
from agents.sharing.reader import read_session_file
from agents.sharing.sharing import Sharing
from tests.agents.lab.stage import GENERATED, ByAgent, Drawn, description, finished, parts

pytestmark = pytest.mark.anyio
TWO = '[[arms]]\nkind = "none"\n[[arms]]\nkind = "online"\n'


async def test_failed_samples_stay_in_the_denominator(tmp_path: Path):
    answers = iter([GENERATED, ProviderError("It is down."), GENERATED, "blah", "blah", GENERATED])
    model = ByAgent(answers={"Generator": lambda _: next(answers)})
    run = await finished(tmp_path, description('[[arms]]\nkind = "none"\n'), data=Drawn(5), model=model)
    found = run.summary("none")
    assert (found.of, found.failed, found.samples) == (5, 2, 5)
    assert [bool(row.error) for row in run.results("none", 0)] == [False, True, False, True, False]
    first = run.first_failed("none")
    assert first is not None
    assert (first.number, first.error) == (1, "It is down.")
    assert run.first_failed("other") is None


async def test_a_model_that_always_fails_gives_a_run_with_no_right_answers(tmp_path: Path):
    model = ByAgent(answers={"Generator": lambda _: ProviderError("It is down.")})
    run = await finished(tmp_path, description(TWO), data=Drawn(3), model=model)
    assert [(one.right, one.of, one.failed, one.has_ended) for one in run.summaries()] == [(0, 3, 3, True)] * 2
    assert run.status == "finished"


async def test_a_scorer_that_always_raises_gives_a_run_of_failed_samples(tmp_path: Path):
    class Raises:
        async def score(self, answer: str, sample: Any) -> Any:
            raise ValueError("no")

    run = await finished(tmp_path, description(TWO), data=Drawn(3), scorer=Raises())
    assert {row.error for row in run.results("none", 0)} == {"The answer cannot be scored: no"}
    assert [one.failed for one in run.summaries()] == [3, 3]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> LabRun:
    """A run of sixty questions."""
    return asyncio.run(finished(tmp_path_factory.mktemp("learned"), description(TWO), data=Drawn(60)))


def test_a_curve_follows_the_results(learned: LabRun):
    run = learned
    points, rows = run.curve("online", 0), list(run.results("online", 0))
    assert [point.number for point in points] == list(range(1, 61))
    assert points[-1].calls == sum(row.calls for row in rows) == run.summary("online").calls
    assert points[-1].accuracy == sum(row.is_right for row in rows) / 60
    assert points[-1].recent == sum(row.is_right for row in rows[-20:]) / 20
    assert (points[-1].bullets, points[-1].playbook_tokens) == (rows[-1].bullets, rows[-1].playbook_tokens)
    assert points[-1].bullets == len(run.playbook("online", 0).playbook())


async def test_a_long_curve_has_few_points_and_the_last_one(tmp_path: Path):
    run = await finished(tmp_path, description('[[arms]]\nkind = "none"\n'), data=Drawn(401), model=ByAgent())
    points = run.curve("none", 0)
    assert len(points) <= MOST_POINTS
    assert points[-1].number == 401
    assert [row.number for row in run.results("none", 0, after=300, limit=3)] == [301, 302, 303]


async def test_a_kept_session_is_imported_with_its_playbook_and_its_prompts(tmp_path: Path):
    run = await finished(tmp_path, description('[[arms]]\nkind = "parallel"\n', keep="all"), data=Drawn(12))
    file = run.session("parallel", 0, 11)
    assert file is not None
    row = next(run.results("parallel", 0, after=10))
    before = run.playbook("parallel", 0).at(row.before)
    prompt = before.as_prompt()
    assert len(prompt) > 300
    assert any(prompt in text for text in file.texts.values())
    read = read_session_file(file.to_text().encode())
    service = InMemorySessionService()
    store = PlaybookStore(service.tables, "default", ledger=ledger_of(service.reducers))
    session = await Sharing(service, playbooks=store).import_session(read, user_id="person")
    there = await service.get_session(app_name="ace", user_id="person", session_id=session.id)
    assert there is not None
    assert there.state["user_query"] == row.question
    imported = next(info for info in store.names() if "parallel" in info.name)
    assert (imported.revision, imported.bullets) == (18, len(before) + 1)  # an example


async def test_sessions_are_small_however_large_the_playbook_is(tmp_path: Path):
    from agents.ace import Playbook
    from agents.ace.bullet import StoredBullet

    text = "The thing number {} is worth knowing."
    large = Playbook([StoredBullet(f"s-{n:05d}", "s", text.format(n)) for n in range(1, 2001)])
    arms = '[[arms]]\nkind = "online"\nplaybook = { name = "it" }\n'
    run = await finished(
        tmp_path, description(arms, keep="all"), data=Drawn(1), playbooks={"online": large}, model=ByAgent()
    )
    store: RunStore = run._store  # pyright: ignore[reportPrivateUsage]
    body = store.read(lambda run: run.conn.execute("SELECT body FROM lab_sessions").fetchone()[0])
    assert len(body) < 20_000
    file = run.session("online", 0, 0)
    assert file is not None
    assert sum(text.format(1999) in one for one in file.texts.values()) >= 2


class Fours(Drawn):
    """Every second right answer is 4, as the model says."""

    def samples(self, split: str) -> Iterator[Sample]:
        return (replace(one, truth="4") if place % 2 else one for place, one in enumerate(super().samples(split)))


async def test_only_wrong_sessions_are_kept_unless_asked_otherwise(tmp_path: Path):
    for keep, kept in (("wrong", False), ("all", True), ("none", False)):
        run = await finished(
            tmp_path / keep, description('[[arms]]\nkind = "online"\n', keep=keep), data=Fours(4), model=ByAgent()
        )
        rows = list(run.results("online", 0))
        right = next(row.number for row in rows if row.is_right)
        wrong = next(row.number for row in rows if not row.is_right)
        assert (run.session("online", 0, right) is not None) == kept
        assert (run.session("online", 0, wrong) is not None) == (keep != "none")


async def test_arms_of_two_runs_are_compared_on_the_samples_that_both_have(tmp_path: Path, learned: LabRun):
    one = learned
    limited = description(TWO + "[limits]\nsamples = 50\n")
    other = await finished(tmp_path, limited, data=Drawn(60))
    found = one.compare("online", "none", run=other)
    assert (found.pairs, found.only_other) == (50, 0)
    assert found.interval is not None
    assert found.difference in found.interval
    assert one.compare("online", "online", run=other).p == 1


def test_an_answer_with_another_seed_is_no_new_question():
    def verdicts(seed: int, right: bool) -> list[Verdict]:
        return [Verdict(seed, place, str(place), is_right=right, failed=False, value=1.0) for place in range(7)]

    once = compared("x", verdicts(0, True), "y", verdicts(0, False))
    right, wrong = ([one for seed in range(5) for one in verdicts(seed, is_right)] for is_right in (True, False))
    several = compared("x", right, "y", wrong)
    assert (several.pairs, several.questions, several.discordant) == (35, 7, 7)
    assert several.p == pytest.approx(once.p)


def test_several_comparisons_are_corrected_for_their_number():
    verdicts = [Verdict(0, place, str(place), is_right=True, failed=False, value=1.0) for place in range(7)]
    wrong = [one._replace(is_right=False) for one in verdicts]
    found = corrected([compared("x", verdicts, "y", wrong), compared("z", [], "y", wrong), compared("y", wrong, "y", wrong)])
    assert [one.corrected_p for one in found] == [pytest.approx(2 * (found[0].p or 0)), None, 1]
    assert [one.of for one in found] == [2, 1, 2]


def test_arms_without_common_samples_have_no_difference():
    verdict = Verdict(0, 0, "a", is_right=True, failed=False, value=1.0)
    found = compared("x", [verdict], "y", [verdict._replace(seed=1), verdict._replace(sample="b")])
    assert (found.pairs, found.p, found.interval) == (0, None, None)


def test_a_comparison_counts_pairs_of_one_seed():
    def verdicts(*right: bool) -> list[Verdict]:
        return [Verdict(0, place, str(place), is_right=one, failed=False, value=1.0) for place, one in enumerate(right)]

    found = compared("x", verdicts(True, True, True, False, True), "y", verdicts(True, False, False, True, False))
    assert (found.pairs, found.both, found.only_arm, found.only_other) == (5, 1, 3, 1)
    assert (found.questions, found.discordant, found.difference) == (5, 4, 0.4)
    assert found.p == pytest.approx(0.6171, abs=1e-4)
    assert found.outcome == "Only 4 of them come out differently: below 6, nothing can be shown."
    assert found.changed == ((0, "1"), (0, "2"), (0, "3"), (0, "4"))


async def test_names_that_are_not_there_are_errors(tmp_path: Path):
    run = await finished(tmp_path, description(TWO), data=Drawn(1))
    with pytest.raises(LabError, match="no arm 'x' with seed 0"):
        list(run.results("x", 0))
    with pytest.raises(LabError, match="has no arm 'x'"):
        run.summary("x")


def test_a_folder_that_is_no_run_is_listed_with_its_problem(tmp_path: Path):
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "run.toml").write_text("name = 1")
    (tmp_path / "other").mkdir()
    assert [(one.name, bool(one.problem)) for one in Lab(tmp_path).runs()] == [("odd", True)]
    Lab(tmp_path).delete("odd")
    assert (Lab(tmp_path).runs(), (tmp_path / ".deleted" / "odd" / "run.toml").is_file()) == ([], True)
    Lab(tmp_path).restore("odd", "odd")
    with pytest.raises(LabError, match="is not the file of a lab run"):
        Lab(tmp_path).resume("odd")


async def test_a_deleted_run_is_kept_and_brought_back(tmp_path: Path):
    (await finished(tmp_path, description(TWO), data=Drawn(1))).close()
    lab = Lab(tmp_path)
    [name] = lab.names()
    deleted = lab.delete(name)
    assert lab.names() == []
    with pytest.raises(LabError, match="There is no lab run"):
        lab.open(name)
    with pytest.raises(LabError, match="There is no lab run"):
        lab.delete(name)
    assert lab.restore(deleted, name) == name
    with lab.open(name) as run:
        assert run.status == "finished"
    with pytest.raises(LabError, match="There is no lab run"):
        lab.restore(deleted, name)


async def test_a_deleted_run_comes_back_with_a_number_if_its_name_is_taken(tmp_path: Path):
    lab = Lab(tmp_path)
    for _ in range(2):
        (await finished(tmp_path, description(TWO), data=Drawn(1))).close()
        [name] = lab.names()
        last = lab.delete(name)
    assert sorted(path.name for path in (tmp_path / ".deleted").iterdir()) == [name, f"{name}-2"]
    assert [lab.restore(last, name), lab.restore(name, name)] == [name, f"{name}-2"]


async def test_a_run_that_is_worked_on_is_not_deleted(tmp_path: Path):
    lab = Lab(tmp_path)
    active = lab.begin(description(TWO), parts=parts(data=Drawn(2)))
    refused: list[str] = []

    def tell(_: object) -> None:
        with pytest.raises(LabError, match="being worked on by this process") as error:
            lab.delete(active.name)
        refused.append(str(error.value))

    (await active.run(tell)).close()
    assert refused
    assert refused[0].endswith("then delete the run.")
    lab.delete(active.name)
    assert lab.names() == []


@pytest.mark.parametrize("name", ["..", ".", "", ".deleted", "a/b", "x" * 300])
def test_no_other_folder_is_deleted(tmp_path: Path, name: str):
    (tmp_path / "lab" / ".deleted").mkdir(parents=True)
    (tmp_path / "run.toml").write_text("")
    with pytest.raises(LabError, match="There is no lab run"):
        Lab(tmp_path / "lab").delete(name)


def test_a_run_whose_database_is_damaged_is_listed_and_can_be_deleted(tmp_path: Path):
    lab = Lab(tmp_path)
    active = lab.begin(description(TWO), parts=parts(data=Drawn(1)))
    (tmp_path / active.name / "run.db").write_bytes(b"x" * 5000)
    for rest in ("run.db-wal", "run.db-shm"):
        (tmp_path / active.name / rest).unlink(missing_ok=True)
    [info] = lab.runs()
    assert "is not a SQLite database" in info.problem
    lab.delete(active.name)
    assert lab.runs() == []


async def test_accuracy_by_label_adds_up_over_seeds_and_counts_a_question_once(tmp_path: Path):
    class Labelled(Drawn):
        def samples(self, split: str):
            for place, one in enumerate(super().samples(split)):
                labels = {"family": str(one.labels["family"]), "even": place % 2 == 0, "half": place / 2, "n": place % 3}
                yield Sample(id=one.id, question=one.question, truth=one.truth, labels=labels)

    run = await finished(tmp_path, description(TWO, seeds=[0, 1]), data=Labelled(20))
    found, online = run.by_label("online"), run.summary("online")
    by_name = {label: [one for one in found if one.label == label] for label in ("even", "family", "half", "n")}
    assert len(found) == sum(map(len, by_name.values()))
    for counts in by_name.values():
        assert [sum(getattr(one, name) for one in counts) for name in ("questions", "of", "right")] == [20, 40, online.right]
    assert [one.value for one in by_name["even"]] == ["false", "true"]
    assert [one.value for one in by_name["n"]] == ["0", "1", "2"]
    assert by_name["half"][1].value == "0.5"
    assert run.by_label("none")[0].label == "even"


async def test_the_arm_without_a_playbook_is_what_the_others_are_compared_with(tmp_path: Path):
    arms = '[[arms]]\nkind = "online"\n[[arms]]\nkind = "parallel"\n[[arms]]\nkind = "none"\nname = "bare"\n'
    run = await finished(tmp_path, description(arms), data=Drawn(12))
    assert run.pairs() == [("online", "bare"), ("parallel", "bare")]
    assert [one.other for one in run.differences()] == ["bare", "bare"]


async def test_parts_of_answers_are_counted(tmp_path: Path):
    class Half:
        async def score(self, answer: str, sample: Sample) -> Score:
            return Score(value=0.5, is_right=False, right=2, of=4)

    run = await finished(tmp_path, description('[[arms]]\nkind = "none"\n'), data=Drawn(5), scorer=Half())
    found = run.summary("none")
    assert (found.right, found.of, found.right_parts, found.parts) == (0, 5, 10, 20)
