"""What bullets are worth, measured on the Playbook page."""

from __future__ import annotations

import threading

from agents.jobs import Job
from agents.lab import MeasuredEffect, Outcome, measure
from agents.workspace import Workspace
from tests.ui.playbook.stage import add, commit, html, playbook_page, rows
from tests.ui.stage import finish, query, said, sound, words
from ui.playbook.measured import effects, form, questions
from ui.state import data_files, runs

CURRENT = "A {who} has current assets of {a} € and current liabilities of {b} €. What is its current ratio?"
PROFIT = "A {who} has revenue of {a} € and cost of goods sold of {b} €. What is its gross profit?"


def ask(manager, *messages):
    """Asks with the playbook frozen, so that nothing is learned."""
    manager.playbooks("ace").freeze()
    for message in messages:
        finish(manager, "ace", manager.start("ace", message).session_id)
    manager.playbooks("ace").freeze(frozen=False)


def known_questions(manager, count=4):
    asked = []
    for number in range(1, count + 1):
        a, b = 3000 * number, 2000
        asked.append(f"{CURRENT.format(who='bakery', a=a, b=b)}\nAnswer: {a / b:g}")
        asked.append(f"{PROFIT.format(who='hotel', a=a, b=b)}\nAnswer: {a - b}")
    ask(manager, *asked)


def effect_page():
    return sound(playbook_page(playbook="ace", tab="effect"))


def measured(at):
    at.button(key="effect_begin").click().run()
    runs.workspace().measurement_jobs.of("ace").wait()
    return sound(at.run())


def test_without_a_measurement_the_page_teaches_and_says_the_cost(kept):
    at = effect_page()
    assert "Nothing is measured yet" in said(at)
    assert at.selectbox(key="effect_source").value == "formulas", "it has no answers of its own"
    assert "**80 answers** by Simulated model: 20 questions × (3 bullets + 1)" in words(at)
    at.selectbox(key="effect_source").set_value("own").run()
    assert "None of its answers has a known right answer" in said(sound(at))
    assert at.button(key="effect_begin").disabled


def test_a_number_that_is_typed_before_the_click_counts(kept):
    at = effect_page()
    at.number_input(key="effect_questions_formulas_200").set_value(2)
    at.number_input(key=next(field.key for field in at.number_input if "effect_bullets" in field.key)).set_value(1)
    measured(at)
    assert runs.workspace().measurement_jobs.of("ace").progress.plan.answers == 4


def test_effects_are_measured_with_its_own_questions_and_sort_the_list(kept):
    known_questions(kept, 7)
    at = effect_page()
    assert at.selectbox(key="effect_source").value == "own"
    assert at.number_input(key="effect_questions_own_14").value == 14
    assert "**56 answers** by Simulated model: 14 questions × (3 bullets + 1)" in words(at)
    before = kept.playbooks("ace").playbook().revision, kept.playbooks("ace").answers()
    at = measured(at)
    assert (kept.playbooks("ace").playbook().revision, kept.playbooks("ace").answers()) == before
    shown = words(at)
    assert "14 questions of its own answers, by Simulated model with ace, just now" in shown
    assert ":green[▲ 1 help] · :red[▼ 0 harm] · :gray[○ 2 make no difference that 14 questions can show]" in shown
    assert "**0 answers** by Simulated model" in shown
    assert "56 of 56 are known already" in shown
    at.button(key="by_effect").click().run()
    assert query(sound(at))["tab"] == "bullets"
    assert rows(at)[0] == "b-00001"
    assert "▲ effect +50%" in html(at)
    assert "7 answers better with it, 0 worse" in html(at)


def test_what_is_measured_survives_a_restart_and_goes_stale_with_a_text(kept):
    known_questions(kept, 1)
    at = effect_page()
    assert "So few questions can show little" in words(at)
    measured(at)
    runs.close()  # as a new process begins
    runs.adopt(Workspace(runs.database()))
    at = effect_page()
    assert "Score with the whole playbook" in words(at)
    assert "has changed since" not in said(at)
    commit(kept.playbooks("ace"), {"type": "UPDATE", "bullet_id": "b-00001", "content": "current ratio = 1"})
    at = effect_page()
    assert "The playbook has changed since" in said(at)
    at.button(key="by_effect").click().run()
    assert ", of an earlier text" in html(sound(at))
    commit(kept.playbooks("ace"), {"type": "REMOVE", "bullet_id": "b-00002"})
    assert "Measured effects" in [header.value for header in effect_page().subheader]


def test_another_playbook_of_that_name_has_no_effects(kept):
    known_questions(kept, 1)
    measured(effect_page())
    store = kept.playbooks("ace")
    store.delete()
    commit(store, add("One."))
    assert "Nothing is measured yet" in said(effect_page())


def test_a_measurement_is_stopped_and_goes_on_where_it_was(kept, monkeypatch):
    known_questions(kept)
    at = effect_page()
    reached, go_on = threading.Event(), threading.Event()
    tell = Job.tell

    def told(job, progress):
        tell(job, progress)
        if progress.done == 5:
            reached.set()
            assert go_on.wait(30)

    monkeypatch.setattr(Job, "tell", told)
    at.button(key="effect_begin").click().run()
    assert reached.wait(30)
    other = effect_page()
    assert "5 of 32 answers" in other.get("progress")[0].proto.text
    assert other.button(key="effect_begin").disabled, "another tab sees it, too"
    other.button(key="effect_stop").click().run()
    go_on.set()
    runs.workspace().measurement_jobs.of("ace").wait()
    at = sound(at.run())
    assert "Stopped after 5 answers" in said(at)
    assert "5 of 32 are known already" in words(at)
    monkeypatch.setattr(Job, "tell", tell)
    at = measured(at)
    assert runs.workspace().measurement_jobs.of("ace").progress.total == 27
    assert "Score with the whole playbook" in words(at)


def test_a_model_that_fails_is_an_error_to_read(kept, monkeypatch):
    known_questions(kept, 1)

    async def fails(task):
        return Outcome(sample=task.sample.id, error="the model is <b>overloaded</b>")

    monkeypatch.setitem(measure.__kwdefaults__, "execute", fails)
    at = measured(effect_page())
    assert "The measurement has ended early" in said(at)
    assert "the model is <b>overloaded</b>" in said(at)
    assert "Nothing is measured yet" in said(at)


def test_a_file_of_the_lab_can_be_chosen_and_a_bad_one_is_explained(kept):
    data_files.keep("質問.jsonl", b'{"question": "1 + 1?", "answer": "2"}\n{"question": "2 + 2?", "answer": "4"}')
    name = data_files.keep("empty.jsonl", b"no json at all")
    at = effect_page()
    at.selectbox(key="effect_source").set_value("file:質問.jsonl").run()
    assert "**8 answers** by Simulated model: 2 questions × (3 bullets + 1)" in words(sound(at))
    at.selectbox(key="effect_source").set_value(f"file:{name}").run()
    assert "The questions cannot be read" in said(sound(at))
    assert at.button(key="effect_begin").disabled


def test_a_model_without_a_key_cannot_be_asked(kept):
    at = sound(playbook_page(playbook="ace", tab="effect", model="gemini-flash-latest"))
    assert "may cost money" in words(at)
    assert "no key" in said(at)
    assert at.button(key="effect_begin").disabled


def test_a_visitor_cannot_measure(kept, visit):
    at = effect_page()
    visit()
    at.button(key="effect_begin").click().run()
    assert runs.workspace().measurement_jobs.of("ace") is None
    assert "A visitor may not start, stop or delete lab runs" in said(sound(at))
    assert at.button(key="effect_begin").disabled


def test_effects_that_cannot_be_read_leave_the_list_as_it_is(kept):
    folder = data_files.folder().parent
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "effects.db").write_bytes(b"this is no database" * 100)
    at = effect_page()
    assert "The measured effects cannot be read" in said(at)
    assert len(rows(sound(playbook_page(playbook="ace")))) == 3


def test_an_empty_playbook_has_nothing_to_measure(kept):
    kept.playbooks("ace").create("empty")
    at = sound(playbook_page(playbook="empty", tab="effect"))
    assert "There is no bullet to measure" in said(at)
    at = sound(playbook_page(playbook="empty", tab="effect"))
    assert at.button(key="effect_begin").disabled


def test_the_list_can_be_sorted_by_effect_before_anything_is_measured(kept):
    at = playbook_page(playbook="ace")
    at.selectbox(key="sort_bullets").set_value("effect").run()
    assert "No effect is measured yet" in words(sound(at))
    assert rows(at) == ["b-00001", "b-00002", "b-00003"]
    at.button(key="to_effect").click().run()
    assert query(sound(at))["tab"] == "effect"


def test_own_questions_are_those_with_a_right_answer_whose_session_is_there(kept):
    question = CURRENT.format(who="bakery", a=3000, b=2000)
    ask(kept, f"{question}\nAnswer: 1.5", f"{question}\nAnswer: 1.5", "Tell me about tidy desks")
    found = type("Found", (), {"store": kept.playbooks("ace"), "manager": kept})
    [answer] = questions.own(found)
    assert answer.session_id == kept.playbooks("ace").answers()[1].session_id, "the newest one"
    kept.sessions.delete("ace", answer.session_id)
    [older] = questions.own(found)
    assert older.session_id != answer.session_id
    kept.sessions.delete("ace", older.session_id)
    assert questions.own(found) == []
    assert questions.pipeline_of([]) == "ace"


def test_of_a_large_playbook_the_most_used_bullets_are_measured(kept):
    store = kept.playbooks("ace")
    commit(store, *[{"type": "TAG", "bullet_id": "b-00003", "tag": "neutral"}] * 2)
    commit(store, {"type": "TAG", "bullet_id": "b-00002", "tag": "helpful"}, {"type": "ARCHIVE", "bullet_id": "b-00001"})
    assert form.most_used(store.playbook(), 1) == ["b-00003"]
    assert form.most_used(store.playbook(), 9) == ["b-00002", "b-00003"]


def effect(low, high):
    return MeasuredEffect("", (low + high) / 2, low, high, 3, 1, 0.625)


def test_the_chart_tells_help_from_harm_by_sign_shape_and_colour(kept):
    drawn = [("b-00001", effect(0.1, 0.3)), ("b-00002", effect(-0.3, 0.0)), ("b-00003", effect(-0.3, -0.1))]
    spec = effects.specification(drawn, kept.playbooks("ace").playbook())
    values = spec["data"]["values"]
    assert [value["what"] for value in values] == ["▲ helps", "○ no difference", "▼ harms"]
    assert values[1]["measured"] == "-15% (-30% to 0%)"
    marks = spec["layer"][-1]["encoding"]
    assert len(set(marks["shape"]["scale"]["range"])) == len(set(marks["color"]["scale"]["range"])) == 3
    assert spec["layer"][-1]["encoding"]["x"]["scale"]["domain"] == [-0.3, 0.3], "no effect is in the middle"
    assert marks["y"]["axis"]["labelFlush"] is False, "a label stands beside its mark"
    one = effects.specification([("b-00001", effect(0.0, 0.0))], kept.playbooks("ace").playbook())
    assert one["layer"][-1]["encoding"]["x"]["scale"]["domain"] == [-0.1, 0.1]
    removed = effects.specification(drawn, kept.playbooks("none").playbook())
    assert "(removed since)" in removed["data"]["values"][0]["bullet"]
