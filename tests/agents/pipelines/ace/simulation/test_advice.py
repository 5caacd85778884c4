from __future__ import annotations

import pytest

from agents.ace.operations import DeltaBatch
from agents.ace.roles.instructions import prompt
from agents.models.simulated.language.detect import language_of
from agents.pipelines.ace.simulation.advice.rubric import criteria_in, judge
from agents.pipelines.ace.simulation.reading.topic import topic_of
from agents.pipelines.ace.simulation.sentences.phrases import phrases_of
from tests.agents.ace.cycles import commit_by
from tests.agents.pipelines.ace.test_agent import Class, answer_of, cited_by
from tests.agents.stage import Play

pytestmark = pytest.mark.anyio

TASKS = "Tell me about efficient task management"
ASKED = {
    "en": TASKS,
    "ja": "効率的なタスク管理について教えてください",
    "zh-Hant": "請告訴我如何有效管理任務",
    "zh": "如何有效管理时间？",
}
FREE = [
    "How can I sleep better?",
    "How do I learn a language quickly?",
    "Give me tips for saving money every month",
    "How should I present to a large audience?",
    "How do I write a polite email to my boss?",
    "How do I cook for a crowd?",
    "What makes a good code review?",
    "Tell me about the flurbing of snarks",
    "よく眠るにはどうすればいいですか？",
    "プレゼンのコツを教えて",
    "怎么存钱",
    "給我一些關於睡眠的建議",
    "どうすれば早起きできますか",
]
CRITERIA = criteria_in(prompt("reflector"))


def reflected(run: Play) -> dict[str, str]:
    return run.state["reflector_output"]


def score_of(run: Play, question: str) -> int:
    topic = topic_of(question)
    assert topic is not None
    return len(judge(answer_of(run), topic, CRITERIA).met)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("どうすれば早起きできますか", "早起き"),
        ("朝早く起きるにはどうしたらいい？", "朝早く起きる"),
        ("怎么样才能存钱", "存钱"),
        ("怎麼樣才能早起", "早起"),
        ("富士山の高さは", None),
    ],
)
def test_a_question_is_about_what_it_asks_how_to_do(question, name):
    topic = topic_of(question)
    assert (topic.name if topic else None) == name


def test_the_rubric_stands_in_the_prompt():
    assert CRITERIA == ("first step", "amount", "example", "order", "limit", "check")


@pytest.mark.parametrize("question", [*ASKED.values(), *FREE])
async def test_free_questions_teach_over_several_sessions(question):
    lesson = Class()

    runs = [await lesson.ask(question) for _ in range(4)]

    scores = [score_of(run, question) for run in runs]
    assert scores == [2, 4, 6, 6]
    learned = [[change for change in commit_by(run, "curator")["applied"] if change["type"] == "ADD"] for run in runs]
    assert [len(added) for added in learned] == [2, 2, 0, 0]
    topic = topic_of(question)
    assert topic is not None
    assert {change["section"] for added in learned for change in added} == {topic.section}
    contents = [change["content"] for added in learned for change in added]
    assert all(content in answer_of(runs[3]) for content in contents)
    assert cited_by(runs[3]) == [change["bullet_id"] for added in learned for change in added]
    assert topic.phrases.said["nothing_missing"] in reflected(runs[2])["key_insight"]
    assert all((language_of(content) or "")[:2] == topic.phrases.language[:2] for content in contents)
    assert {reflected(run)["error_identification"] for run in runs} == {"None."}
    assert lesson.store.playbook().helpful == lesson.store.playbook().harmful == 0


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


async def test_a_bullet_on_one_topic_is_not_in_an_answer_on_another():
    lesson = Class()
    for _ in range(3):
        await lesson.ask(TASKS)

    other = await lesson.ask("How can I sleep better?")
    ratio = await lesson.ask("A shop has current assets of 120 and current liabilities of 80. What is the current ratio?")
    fact = await lesson.ask("What is the capital of France?")

    assert cited_by(other) == cited_by(ratio) == cited_by(fact) == []
    assert "task" not in answer_of(other)
    assert answer_of(fact) == "I do not know."


async def test_other_words_for_a_topic_find_its_strategies():
    lesson = Class()
    await lesson.ask(TASKS)

    assert len(cited_by(await lesson.ask("How can I manage tasks better?"))) == 2


async def test_a_bullet_edited_by_hand_is_in_the_answer_as_it_stands():
    lesson = Class()
    await lesson.ask(TASKS)
    bullet = lesson.store.playbook().bullets[0]
    edit = {"type": "UPDATE", "bullet_id": bullet.id, "content": "Task management: sing to your tasks"}
    lesson.store.commit(DeltaBatch(by="person", operations=[edit]))

    assert "Task management: sing to your tasks." in answer_of(await lesson.ask(TASKS))


async def test_a_thumb_is_feedback_and_a_comment_is_a_strategy():
    lesson = Class()
    await lesson.ask(TASKS)
    used = await lesson.ask(TASKS, session="s")
    await lesson.ask("👍", session="s", verdict={"right": True, "answer": None, "event": None})
    assert [lesson.store.playbook().get(id_).helpful for id_ in cited_by(used)] == [1, 1]

    await lesson.ask(
        "👎", session="s", verdict={"right": False, "answer": "Task management: say no more often", "event": None}
    )

    assert "Task management: say no more often." in answer_of(await lesson.ask(TASKS))


@pytest.mark.parametrize(
    "question",
    [
        "Tell me about World War I",
        "What is the capital of France?",
        "Who painted the ceiling?",
        "banana",
        "https://example.com/how-to",
        "???",
        "いつ開きますか？",
        "谁画了它？",
    ],
)
async def test_what_is_no_question_for_advice_gets_none(question):
    lesson = Class()
    run = await lesson.ask(question)

    assert answer_of(run) == phrases_of(language_of(question) or "en").said["unknown"]
    assert len(lesson.store.playbook()) == 0


async def test_another_language_is_answered_in_one_sentence_and_teaches_nothing():
    lesson = Class()
    run = await lesson.ask("Wie kann ich besser schlafen und früher aufstehen?")

    assert answer_of(run) == "I read questions in English, Japanese and Chinese, and this is none of them."
    assert len(lesson.store.playbook()) == 0


@pytest.mark.parametrize("language", ["en", "ja", "zh", "zh-Hant"])
def test_each_sentence_shows_its_own_criterion_and_no_other(language):
    topic = topic_of(ASKED[language])
    assert topic is not None
    assert topic.phrases.language == language
    for criterion, sentence in topic.phrases.strategies.items():
        assert judge(sentence.format(topic=topic.name), topic, CRITERIA).met == [criterion]
    base = topic.phrases.separator.join([topic.phrases.opening.format(topic=topic.name), *topic.phrases.base])
    assert judge(base, topic, CRITERIA).met == ["first step", "order"]


def test_what_a_topic_is_called_counts_for_nothing():
    topic = topic_of("How do I write a first check list of at most 5 pages?")
    assert topic is not None

    assert judge(topic.name, topic, CRITERIA).met == []


def test_all_languages_say_the_same_things():
    books = [phrases_of(language) for language in ("en", "ja", "zh", "zh-Hant")]

    assert len({tuple(sorted(book.said)) for book in books}) == 1
    assert all(list(book.names) == list(book.markers) == list(book.strategies) == list(CRITERIA) for book in books)
