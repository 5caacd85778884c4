from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from agents.ace.operations import DeltaBatch
from agents.ace.roles.instructions import prompt
from agents.models.simulated.language.detect import LANGUAGES, answer_language, language_of
from agents.models.simulated.model import REFUSAL_MARK
from agents.pipelines.ace.families import rubric_score
from agents.pipelines.ace.simulation.advice.rubric import criteria_in, judge
from agents.pipelines.ace.simulation.advice.topics import asks_for_advice, topic_of, topics_in
from agents.pipelines.ace.simulation.bullets import understand
from agents.pipelines.ace.simulation.rewriter import rewrite
from agents.pipelines.ace.simulation.sentences.phrases import phrases_of
from tests.agents.ace.cycles import commit_by
from tests.agents.pipelines.ace.test_agent import Class, answer_of, cited_by
from tests.agents.stage import APP, Play

pytestmark = pytest.mark.anyio

TASKS = "Tell me about efficient task management"
ASKED = {
    "en": TASKS,
    "ja": "効率的なタスク管理について教えてください",
    "zh-Hant": "請告訴我如何有效管理任務",
    "zh": "如何有效管理时间？",
}
TOPICS = [(language, key) for language in LANGUAGES for key in topics_in(language)]
CRITERIA = criteria_in(prompt("reflector"))
KEPT: dict[str, Any] = tomllib.loads(Path(__file__).with_name("advice.toml").read_text(encoding="utf-8"))
TYPED = [(key, message) for key, messages in KEPT["asked"].items() for message in messages.strip().split("\n")]
REFUSED = {kind: messages.strip().split("\n") for kind, messages in KEPT["refused"].items()}


def reflected(run: Play) -> dict[str, str]:
    return run.state["reflector_output"]


def score_of(run: Play, question: str) -> int:
    return rubric_score(answer_of(run), question)[0]


def added_by(run: Play) -> list[dict[str, Any]]:
    return [change for change in commit_by(run, "curator")["applied"] if change["type"] == "ADD"]


def offered_by(run: Play) -> list[list[str]]:
    marks = [(event.custom_metadata or {}).get(REFUSAL_MARK) for event in run.events]
    return [mark["examples"] for mark in marks if mark]


def test_the_rubric_stands_in_the_prompt():
    assert CRITERIA == ("first step", "amount", "example", "order", "limit", "check")


# -- what is read


@pytest.mark.parametrize(("key", "message"), TYPED)
def test_what_people_type_is_read_as_its_topic(key, message):
    assert topic_of(message) == topics_in(answer_language(message))[key]


@pytest.mark.parametrize("message", [message for messages in REFUSED.values() for message in messages])
def test_no_other_message_is_advice_on_a_topic(message):
    assert topic_of(message) is None
    assert asks_for_advice(message) == (message in REFUSED["advice"])


def test_a_message_is_no_request_in_another_language():
    assert not asks_for_advice("請求額がおかしい")


@pytest.mark.parametrize(("language", "key"), TOPICS)
def test_the_example_of_a_topic_is_read(language, key):
    topic = topics_in(language)[key]
    assert topic_of(topic.example) == topic


@pytest.mark.parametrize("message", REFUSED["advice"][::4])
async def test_another_topic_is_refused_with_those_that_are_known_and_teaches_nothing(message):
    lesson = Class()
    run = await lesson.ask(message)

    topics = topics_in(answer_language(message)).values()
    assert all(topic.name in answer_of(run) for topic in topics)
    assert offered_by(run) == [[topic.example for topic in topics]]
    assert len(lesson.store.playbook()) == 0


@pytest.mark.parametrize("message", REFUSED["others"][::6])
async def test_what_asks_for_no_advice_gets_none(message):
    lesson = Class()
    run = await lesson.ask(message)

    assert answer_of(run) in (phrases_of(answer_language(message)).said["unknown"], "4")
    assert offered_by(run) == []
    assert len(lesson.store.playbook()) == 0


@pytest.mark.parametrize("message", REFUSED["unread"])
async def test_another_language_is_refused_in_english_and_teaches_nothing(message):
    lesson = Class()
    run = await lesson.ask(message)

    assert answer_of(run) == "I read questions in English, Japanese and Chinese, and this is none of them."
    assert offered_by(run) == [[topic.example for topic in topics_in("en").values()]]
    assert len(lesson.store.playbook()) == 0


async def test_another_topic_can_be_taught():
    lesson = Class()
    await lesson.ask("How do I get rich?\nAnswer: Spend less than you earn")

    assert answer_of(await lesson.ask("How do I get rich?")) == "Spend less than you earn"


# -- what is learned


@pytest.mark.parametrize(("language", "key"), TOPICS)
async def test_each_topic_teaches_its_own_strategies_over_several_sessions(language, key):
    lesson, topic = Class(), topics_in(language)[key]

    runs = [await lesson.ask(topic.example) for _ in range(5)]

    assert [score_of(run, topic.example) for run in runs] == [2, 4, 6, 6, 6]
    assert [len(added_by(run)) for run in runs] == [2, 2, 2, 2, 0]
    added = [change for run in runs for change in added_by(run)]
    assert {change["section"] for change in added} == {topic.section}
    assert [change["content"] for change in added] == topic.strategies
    assert all(strategy in answer_of(runs[-1]) for strategy in topic.strategies)
    assert cited_by(runs[-1]) == [change["bullet_id"] for change in added]
    assert topic.phrases.said["nothing_missing"] in reflected(runs[-1])["key_insight"]
    assert {reflected(run)["error_identification"] for run in runs} == {"None."}
    assert lesson.store.playbook().helpful == lesson.store.playbook().harmful == 0


async def test_with_all_topics_in_one_playbook_each_answer_has_the_strategies_of_its_own():
    lesson = Class()
    topics = [topic for language in LANGUAGES for topic in topics_in(language).values()]
    for topic in topics:
        for _ in range(4):
            await lesson.ask(topic.example)
    lesson.store.freeze()

    for topic in topics:
        run = await lesson.ask(topic.example)
        assert [lesson.store.playbook().get(id_).content for id_ in cited_by(run)] == topic.strategies


async def test_a_section_is_named_after_the_topic_and_the_score_can_be_read():
    lesson = Class()
    first, second = await lesson.ask(TASKS), await lesson.ask(TASKS)

    assert lesson.store.playbook().sections.keys() == {"task_management_strategies"}
    assert "2 of 6: no amount or time, no example, no limit, no check" in reflected(first)["reasoning"]
    assert "4 of 6: no limit, no check" in reflected(second)["reasoning"]
    assert "Nobody checked whether the advice is right." in reflected(second)["reasoning"]


@pytest.mark.parametrize("question", ASKED.values())
async def test_what_a_bullet_brought_goes_with_it(question):
    lesson = Class()
    for _ in range(3):
        run = await lesson.ask(question)
    before = score_of(run, question)
    bullet = lesson.store.playbook().bullets[0]
    lesson.store.commit(DeltaBatch(by="person", operations=[{"type": "REMOVE", "bullet_id": bullet.id}]))
    lesson.store.freeze()

    after = await lesson.ask(question)

    assert bullet.content not in answer_of(after)
    assert score_of(after, question) == before - 1


async def test_a_bullet_on_one_topic_is_not_in_an_answer_to_another_question():
    lesson = Class()
    for _ in range(4):
        await lesson.ask(TASKS)

    for question in (
        "How can I sleep better?",
        "A shop has current assets of 120 and current liabilities of 80. What is the current ratio?",
        "What is the capital of France?",
        "Who put the results of the week into the calendar?",
    ):
        run = await lesson.ask(question)
        assert cited_by(run) == []
        assert "task" not in answer_of(run)


async def test_other_words_for_a_topic_find_its_strategies():
    lesson = Class()
    await lesson.ask(TASKS)

    assert len(cited_by(await lesson.ask("How can I manage tasks better?"))) == 2


async def test_a_bullet_edited_by_hand_is_in_the_answer_as_it_stands_and_its_old_text_does_not_come_back():
    lesson = Class()
    await lesson.ask(TASKS)
    bullet = lesson.store.playbook().bullets[0]
    edit = {"type": "UPDATE", "bullet_id": bullet.id, "content": "Sing to your tasks"}
    lesson.store.commit(DeltaBatch(by="person", operations=[edit]))

    for _ in range(4):
        run = await lesson.ask(TASKS)

    assert "Sing to your tasks." in answer_of(run)
    assert bullet.content not in answer_of(run)
    assert len(cited_by(run)) == 8


async def test_a_strategy_elsewhere_in_the_playbook_is_used_if_it_names_the_topic():
    lesson = Class()
    lesson.store.create(APP).commit(
        DeltaBatch(
            operations=[
                {"type": "ADD", "section": "NOTES", "content": "Code review: thank the author."},
                {"type": "ADD", "section": "debugging_strategies", "content": "Ask for a code review of the fix."},
            ]
        )
    )

    answer = answer_of(await lesson.ask("What makes a good code review?"))

    assert "Code review: thank the author." in answer
    assert "of the fix" not in answer


async def test_a_thumb_is_feedback_and_a_comment_is_a_strategy():
    lesson = Class()
    await lesson.ask(TASKS)
    used = await lesson.ask(TASKS, session="s")
    await lesson.ask("👍", session="s", verdict={"right": True, "answer": None, "event": None})
    assert [lesson.store.playbook().get(id_).helpful for id_ in cited_by(used)] == [1, 1]

    await lesson.ask("👎", session="s", verdict={"right": False, "answer": "Say no more often", "event": None})

    assert "Say no more often." in answer_of(await lesson.ask(TASKS))


def test_rewritten_notes_keep_the_strategies_of_a_topic_apart():
    notes = ""
    for question in (TASKS, "How can I sleep better?") * 2:
        notes = rewrite(notes, question=question, given="On it.", feedback="None.")

    english = topics_in("en")
    assert set(notes.split("\n")) == {
        *english["task_management"].strategies[:4],
        *english["sleep"].strategies[:4],
    }


# -- the stock


@pytest.mark.parametrize(("language", "key"), TOPICS)
def test_a_topic_has_eight_strategies_that_show_one_criterion_after_the_other(language, key):
    topic = topics_in(language)[key]
    assert len(topic.strategies) == 8
    shown = [judge(one, topic.phrases, CRITERIA, topic=topic.name).met for one in topic.strategies]
    assert shown[:4] == [["amount"], ["example"], ["limit"], ["check"]]
    for strategy in topic.strategies:
        assert understand(strategy) is None
        assert (language_of(strategy) or "")[:2] == language[:2]
        assert ";" not in strategy, "a rewritten note is cut there"


def test_all_languages_have_the_same_topics_in_sections_of_their_own():
    books = [topics_in(language) for language in LANGUAGES]
    assert len({tuple(book) for book in books}) == 1
    assert len({topic.section for book in books for topic in book.values()}) == len(TOPICS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_without_bullets_has_a_first_step_and_an_order(language):
    phrases = phrases_of(language)
    base = phrases.separator.join([phrases.opening, *phrases.base])
    assert judge(base, phrases, CRITERIA).met == ["first step", "order"]


def test_what_a_topic_is_called_counts_for_nothing():
    assert judge("Check it. On code review.", phrases_of("en"), CRITERIA, topic="code review").met == ["check"]
    assert judge("On code review.", phrases_of("en"), CRITERIA, topic="code review").met == []


def test_all_languages_say_the_same_things():
    books = [phrases_of(language) for language in LANGUAGES]

    assert len({tuple(sorted(book.said)) for book in books}) == 1
    assert all(list(book.names) == list(book.markers) == list(CRITERIA) for book in books)
