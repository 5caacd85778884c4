"""The playbook of a class: authors, merged bullets, one that is made wrong, and the answers that show it."""

from __future__ import annotations

import pytest

from agents.ace import PlaybookStore
from agents.classroom import ClassPlaybook, check_questions
from agents.classroom.class_playbook import MOST_TOLD
from agents.errors import ClassError

pytestmark = pytest.mark.anyio

QUESTIONS = {question.family: question for question in check_questions()}
RATIO, WORK = QUESTIONS["current ratio"], QUESTIONS["work"]
FORMULAS = [
    "current ratio = current assets / current liabilities",
    "work = force × distance",
    "speed = distance / time",
    "voltage = current × resistance",
    "density = mass / volume",
]


@pytest.fixture
def book(tmp_path):
    with PlaybookStore(tmp_path / "play.db", "class 1") as store:
        yield ClassPlaybook(store)


async def right(book):
    return [one.right for one in await book.check([RATIO, WORK], model="simulated")]


async def test_the_class_finds_the_bullet_that_was_made_wrong(book):
    assert await right(book) == [False, False]
    book.add("Ana", ["current ratio = current assets / current liabilities"])
    book.add("Ben", ["work = force × distance"])
    assert await right(book) == [True, True]
    ratio, work = book.bullets()
    book.make_wrong(ratio.id, "current ratio = current liabilities / current assets")
    assert await right(book) == [False, True]
    wrong = book.bullets()[0]
    assert (wrong.authors, wrong.lineage[-1]) == (
        ("Ana",),
        "teacher changed it: current ratio = current liabilities / current assets",
    )
    book.switch("Cem", work.id, off=True)
    assert await right(book) == [False, False]
    book.switch("Cem", work.id, off=False)
    book.switch("Cem", wrong.id, off=True)
    assert [(one.off, one.switched_by) for one in book.bullets()] == [(True, "Cem"), (False, "Cem")]
    book.add("Dee", ["current ratio = current assets / current liabilities"])
    assert await right(book) == [True, True]


async def test_of_a_bullet_that_is_switched_without_end_the_last_is_told(book):
    book.add("Ana", ["work = force × distance"])
    for turn in range(MOST_TOLD + 1):
        book.switch("Ben", book.bullets()[0].id, off=turn % 2 == 0)
    assert len(book.bullets()[0].lineage) == MOST_TOLD
    assert book.bullets()[0].lineage[-1] == "Ben switched it off"


async def test_each_question_needs_its_bullet(book):
    questions = check_questions()
    assert [one.right for one in await book.check(questions, model="simulated")] == [False] * 5
    book.add("Ana", FORMULAS)
    assert [one.right for one in await book.check(questions, model="simulated")] == [True] * 5


async def test_two_who_say_the_same_become_one_bullet_of_both(book):
    book.add("Ana", ["Work is force times distance."])
    merged = book.add("Ben", ["work is force times distance"])
    [bullet] = book.bullets()
    assert (bullet.authors, [bullet.id]) == (("Ana", "Ben"), merged)
    book.add("Cem", ["Multiply how hard you push by how far you go"])
    book.merge([one.id for one in book.bullets()])
    [bullet] = book.bullets()
    assert set(bullet.authors) == {"Ana", "Ben", "Cem"}


async def test_what_is_not_possible_is_said(book):
    for act in (
        lambda: book.switch("Ana", "none-00001", off=True),
        lambda: book.make_wrong("none-00001", "x"),
        lambda: book.merge(["none-00001"]),
        lambda: book.add("Ana", ["\x00"]),
    ):
        with pytest.raises(ClassError):
            act()
    book.add("Ana", ["<b>" + "長" * 100_000])
    assert len(book.bullets()[0].text) == 300
