"""A class: who may do what, what is counted, and that a restart between an answer and the reveal loses nothing."""

from __future__ import annotations

import threading

import pytest

from agents.access import OWNER, learner, teacher, visitor
from agents.classroom import Classroom, clean
from agents.errors import ClassError, NotPermittedError
from agents.storage.memory_journal import InMemoryJournal
from agents.storage.stores import open_store

TEA, ANA, BEN, CEM = teacher("t"), learner("a"), learner("b"), learner("c")
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "**bold** [x](javascript:alert(1))",
    "日本語の名前",
    "الاسم العربي",
    "👩‍👩‍👧 family",
    "a\u202eb\x00c\x1b[31m",
    "Z" + "\u0301" * 500,
    "\ud800x",
    "x" * 100_000,
]


@pytest.fixture
def room():
    return Classroom(InMemoryJournal())


def joined(room, *users):
    return [room.join(user, room.code, f"N{user.id[-1]}") for user in users]


def counts(room):
    return room.look(lambda state: list(state.question.counts))


def test_a_nickname_and_a_code_are_all_that_is_asked_for(room):
    with pytest.raises(ClassError, match="not the code"):
        room.join(ANA, "?????", "Ana")
    assert room.join(ANA, f" {room.code.lower()[:2]} {room.code[2:]}\n", "  Ana \n Lee ").nickname == "Ana Lee"
    assert [room.join(user, room.code, "ana lee").nickname for user in (BEN, CEM)] == ["ana lee 2", "ana lee 3"]


def test_the_same_device_stays_the_same_learner(room):
    joined(room, ANA, BEN)
    question = room.ask(TEA, "Who?", ["x", "y"])
    room.vote(ANA, question.id, 1)
    assert room.join(ANA, room.code, "Na").nickname == "Na"
    assert room.look(lambda state: len(state.learners)) == 2
    assert counts(room) == [0, 1]


def test_an_answer_counts_once_and_may_be_changed_until_the_reveal(room):
    joined(room, ANA, BEN)
    question = room.ask(OWNER, "Who?", ["x", "y"])
    room.vote(ANA, question.id, 0, "because")
    room.vote(BEN, question.id, 0)
    room.vote(ANA, question.id, 1)
    assert counts(room) == [1, 1]
    stored = room.look(lambda state: state.seq)
    room.vote(ANA, question.id, 1)
    assert room.look(lambda state: state.seq) == stored, "what is sent again is stored once"
    room.reveal(TEA, question.id, 1)
    with pytest.raises(ClassError, match="Too late: the answer was revealed"):
        room.vote(BEN, question.id, 1)
    room.reveal(TEA, question.id, 0)
    assert room.look(lambda state: (state.question.right, counts(room))) == (1, [1, 1])
    assert room.look(lambda state: [(one.answered, one.right) for one in state.learners.values()]) == [(1, 1), (1, 0)]
    room.ask(TEA, "And?", ["x", "y"])
    with pytest.raises(ClassError, match="another question"):
        room.vote(BEN, question.id, 1)


@pytest.mark.parametrize("user", [ANA, visitor("v")], ids=lambda user: user.role)
def test_only_teachers_hold_a_class(room, user):
    if user is ANA:
        joined(room, ANA)
    acts = [
        lambda: room.ask(user, "Who?", ["x", "y"]),
        lambda: room.reveal(user, 2, 0),
        lambda: room.stage(user, "ace", "s"),
        lambda: room.move(user, 3),
        lambda: room.cast(user, "CriticAgent", ANA.id),
        lambda: room.note(user, "checked", right=5, of=5),
    ]
    before = room.look(lambda state: state.seq)
    for act in acts:
        with pytest.raises(NotPermittedError):
            act()
    assert room.look(lambda state: state.seq) == before


@pytest.mark.parametrize("user", [TEA, visitor("v")], ids=lambda user: user.role)
def test_only_learners_take_part(room, user):
    for act in (lambda: room.join(user, room.code, "x"), lambda: room.vote(user, 1, 0), lambda: room.part_of(user, "A")):
        with pytest.raises(NotPermittedError):
            act()


def test_who_has_not_joined_answers_nothing(room):
    question = room.ask(TEA, "Who?", ["x", "y"])
    with pytest.raises(ClassError, match="not joined"):
        room.vote(ANA, question.id, 0)
    for choice in (-1, 2):
        joined(room, ANA)
        with pytest.raises(ClassError, match="no choice"):
            room.vote(ANA, question.id, choice)


@pytest.mark.anyio
async def test_a_restart_between_answer_and_reveal_loses_nothing(tmp_path):
    store = open_store(tmp_path / "play.db")
    room = Classroom(store.journal)
    joined(room, ANA, BEN)
    question = room.ask(TEA, "Who?", ["x", "y"])
    room.vote(ANA, question.id, 0, "because")
    room.vote(BEN, question.id, 1)
    room.vote(BEN, question.id, 0)
    await store.close()
    store = open_store(tmp_path / "play.db")
    again = Classroom(store.journal)
    assert (again.code, counts(again), again.has(ANA.id)) == (room.code, [2, 0], True)
    again.vote(ANA, question.id, 1)
    again.reveal(TEA, question.id, 1)
    assert again.look(lambda state: state.learners[ANA.id].right) == 1
    assert Classroom(store.journal, new=True).code != again.code
    await store.close()


def test_two_servers_hold_one_class():
    journal = InMemoryJournal()
    one, two = Classroom(journal), Classroom(journal)
    joined(one, ANA)
    joined(two, BEN)
    question = one.ask(TEA, "Who?", ["x", "y"])
    two.join(CEM, two.code, "Cem")
    two.vote(BEN, question.id, 1)
    one.vote(ANA, question.id, 1)
    assert counts(one) == [0, 2]


def test_votes_of_many_threads_are_all_counted(room):
    users = [learner(str(number)) for number in range(20)]
    joined(room, *users)
    question = room.ask(TEA, "Who?", ["x", "y"])

    def votes(user):
        for turn in range(21):
            room.vote(user, question.id, turn % 2)

    threads = [threading.Thread(target=votes, args=(user,)) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts(room) == [20, 0]


def test_a_part_is_played_by_who_has_it_now(room):
    joined(room, ANA, BEN)
    with pytest.raises(ClassError, match="Nobody plays"):
        room.cast(TEA, "CriticAgent", BEN.id)
    room.stage(TEA, "iterative_writing", "s", {"CriticAgent": ANA.id})
    assert room.part_of(ANA, "CriticAgent").session == "s"
    room.cast(TEA, "CriticAgent", BEN.id)
    with pytest.raises(ClassError, match="not yours any more"):
        room.part_of(ANA, "CriticAgent")
    assert room.part_of(BEN, "CriticAgent").by == TEA.id


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_text_of_any_kind_becomes_a_line_that_can_be_stored(room, text):
    name = room.join(ANA, room.code, text).nickname
    assert 0 < len(name) <= 24
    assert name.encode()
    assert not any(character in name for character in "\u202e\x00\x1b\n")
    question = room.ask(TEA, text, [text, "y"])
    room.vote(ANA, question.id, 0, text)
    assert Classroom(room._journal).look(lambda state: state.question.votes[ANA.id].reason) == clean(text, most=300, what="")


@pytest.mark.parametrize("text", ["", " \n", "\u202e\u200b", "\u200d", "\x00" * 9])
def test_text_of_which_nothing_is_left_is_refused(room, text):
    with pytest.raises(ClassError, match="Type a nickname"):
        room.join(ANA, room.code, text)


def test_watchers_hear_of_each_change(room):
    heard = []
    leave = room.watch(lambda: heard.append(room.look(lambda state: state.seq)))
    joined(room, ANA)
    room.ask(TEA, "Who?", ["x", "y"])
    leave()
    room.join(BEN, room.code, "Ben")
    assert heard == [2, 3]
