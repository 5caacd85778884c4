"""What phones and the desk ask for, by the name in their message. Rights are those of the user, whatever a page sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agents import REQUEST_ANSWER, ClassError
from agents.access import Action, User, require, user_of
from agents.classroom import ClassPlaybook, StageRow, next_author
from agents.lessons import Answer, Predict, score
from agents.models import YOU
from ui.classroom.room import Room

ENDS = "nobody: it ends"
MOST_SECONDS = 1800
_Asked = Mapping[str, Any]


def act(room: Room, user: User, asked: _Asked) -> None:
    """Does what a message asks for.

    Raises:
        PlaygroundError: It is not possible or not permitted; nothing was changed.
    """
    done = _LEARNERS.get(str(asked.get("do"))) or _TEACHERS.get(str(asked.get("do")))
    if done is None:
        raise ClassError("This page is older than the server. Reload it.")
    require(user, Action.TAKE_PART if asked["do"] in _LEARNERS else Action.HOLD_CLASS)
    done(room, user, asked)


# -- phones


def _join(room: Room, user: User, asked: _Asked) -> None:
    room.classroom.join(user, _text(asked, "code"), _text(asked, "name"))


def _vote(room: Room, user: User, asked: _Asked) -> None:
    room.classroom.vote(user, _number(asked, "question"), _number(asked, "choice"), _text(asked, "reason"))


def _add(room: Room, user: User, asked: _Asked) -> None:
    _book(room).add(room.classroom.nickname(user), [_text(asked, "text")])
    room.classroom.changed()


def _switch(room: Room, user: User, asked: _Asked) -> None:
    nickname = room.classroom.nickname(user)
    if room.classroom.look(lambda state: state.hunt is None):
        raise ClassError("Bullets are switched off in the hunt, which your teacher begins.")
    _book(room).switch(nickname, _text(asked, "bullet"), off=asked.get("off") is True)
    room.classroom.changed()
    room.check()


def _play(room: Room, user: User, asked: _Asked) -> None:
    agent = _text(asked, "agent")
    staged = room.classroom.part_of(user, agent)
    manager = room.manager(user_of(staged.by))
    found = manager.sessions.find(staged.pipeline, staged.session)
    calls = manager.pending_in([found]) if found is not None else []
    wanted = (REQUEST_ANSWER, agent, asked.get("call"))  # what an agent asks a person is the teacher's to answer
    if (call := next((call for call in calls if (call.tool, call.agent, call.call_id) == wanted), None)) is None:
        raise ClassError("This was answered already, or the run has ended.")
    given = {"calls": [{"name": _text(asked, "tool"), "args": {}}]} if asked.get("tool") else {"text": _text(asked, "text")}
    manager.answer(staged.pipeline, staged.session, call.call_id, given)
    room.classroom.changed()


# -- the desk


def _run(room: Room, user: User, asked: _Asked) -> None:
    """Starts a run and puts it on the wall; agents that are played wait for their learner."""
    given = asked.get("roles")
    roles = (
        {agent: str(who) for agent, who in given.items() if room.classroom.has(str(who))} if isinstance(given, dict) else {}
    )
    manager, name = room.manager(user), _text(asked, "pipeline")
    card = manager.catalog.get(name).card
    message = _text(asked, "message").strip() or next(iter(card.samples), "")
    run = manager.start(name, message, agent_models=dict.fromkeys(roles, YOU) if roles else None)
    room.classroom.stage(user, name, run.session_id, roles)


def _present(room: Room, user: User, asked: _Asked) -> None:
    name, session = _text(asked, "pipeline"), _text(asked, "session")
    found = room.manager(user).sessions.find(name, session)
    if found is None:
        raise ClassError("There is no such session, or it is not yours. Choose another one.")
    room.classroom.stage(user, name, session, of=found.user_id)


def _next(room: Room, user: User, asked: _Asked) -> None:
    """One step on: reveals what is asked, asks what the lesson asks here, or shows the next event."""
    room.look()
    question, staged = room.classroom.look(lambda state: (state.question, state.staged))
    if question is not None and question.is_open:
        _reveal(room, user, asked)
    elif staged is None:
        raise ClassError("Nothing is on the wall. Start a run, or choose a session.")
    elif not staged.roles and (step := _due(room, staged.at)) is not None:
        about = {"step": step.id, "after": staged.at}
        room.classroom.ask(user, step.text, [choice.text for choice in step.choices], about)
    elif (row := next((row for row in room.stage.rows if row.seq > staged.at), None)) is not None:
        room.classroom.move(user, row.seq)


def _back(room: Room, user: User, _asked: _Asked) -> None:
    staged = room.staged()
    if staged is not None:
        before = [row.seq for row in room.stage.rows if row.seq < staged.at]
        room.classroom.move(user, before[-1] if before else 0)


def _ask(room: Room, user: User, asked: _Asked) -> None:
    choices = [choice for choice in _texts(asked, "choices") if choice.strip()]
    about = {"right": right} if isinstance(right := asked.get("right"), int) and 0 <= right < len(choices) else {}
    room.classroom.ask(user, _text(asked, "text"), choices, about)


def _ask_who(room: Room, user: User, _asked: _Asked) -> None:
    """Asks who acts next; the log answers."""
    staged = room.staged()
    if staged is None or not room.stage.agents:
        raise ClassError("Nothing is on the wall. Start a run first.")
    about = {"take": "next", "after": staged.at}
    room.classroom.ask(user, "Who is next?", [*room.stage.agents[:7], ENDS], about)


def _reveal(room: Room, user: User, _asked: _Asked) -> None:
    room.look()
    question = room.classroom.look(lambda state: state.question)
    if question is not None and question.is_open:
        room.classroom.reveal(user, question.id, _right(room, question.choices, question.about))


def _write(room: Room, user: User, _asked: _Asked) -> None:
    """Begins a playbook of the class, with a name that is free."""
    taken = {info.name for info in room.manager().playbooks("class").names()}
    name = next(name for number in range(1, len(taken) + 2) if (name := f"class {number}") not in taken)
    room.manager().playbooks("class").create(name)
    room.checks = []
    room.classroom.note(user, "wrote", playbook=name)


def _take_reasons(room: Room, user: User, _asked: _Asked) -> None:
    """Makes bullets of the reasons that learners gave for the last answer, if it was right or has no right one."""
    question, taken, names = room.classroom.look(
        lambda state: (state.question, state.reasons_taken, {one.id: one.nickname for one in state.learners.values()})
    )
    if question is None or question.is_open or question.id == taken:
        raise ClassError("There are no new reasons. Ask a question, and reveal its answer first.")
    book = _book(room)
    for who, vote in question.votes.items():
        if vote.reason and question.right in {None, vote.choice}:
            book.add(names[who], [vote.reason])
    room.classroom.note(user, "took_reasons", question=question.id)


def _merge(room: Room, _user: User, asked: _Asked) -> None:
    _book(room).merge(_texts(asked, "bullets"))
    room.classroom.changed()


def _check(room: Room, _user: User, _asked: _Asked) -> None:
    _book(room)
    room.check()


def _hunt(room: Room, user: User, asked: _Asked) -> None:
    """Makes a bullet wrong and begins the hunt. What was right before is the mark to come back to."""
    book = _book(room)
    chosen = _text(asked, "bullet")
    before = next((one.text for one in book.bullets() if one.id == chosen), "")
    room.check()
    right = sum(one.right for one in room.checks)
    book.make_wrong(chosen, _text(asked, "text"))
    room.check()
    if sum(one.right for one in room.checks) >= right:
        book.make_wrong(chosen, before)
        room.check()
        raise ClassError("As many answers are right as before, so there is nothing to hunt. Choose a bullet that one needs.")
    seconds = min(max(_number(asked, "seconds"), 10), MOST_SECONDS)
    room.classroom.note(user, "hunted", seconds=seconds, target=right)


def _cast(room: Room, user: User, asked: _Asked) -> None:
    room.classroom.cast(user, _text(asked, "agent"), _text(asked, "learner"))


def _due(room: Room, at: int) -> Predict | None:
    """The lesson's prediction that is asked before the next event is shown."""
    asked = room.classroom.look(lambda state: set(state.asked_steps))
    step = next((step for step in room.stage.lesson if step.id not in asked), None)
    if step is None:
        return None
    if step.pause is None:
        return step if at == 0 else None
    shown = sum(row.author == step.pause.agent for row in room.stage.rows if row.seq <= at)
    return step if next_author(room.stage.rows, at) == step.pause.agent and shown + 1 == step.pause.call else None


def _right(room: Room, choices: tuple[str, ...], about: _Asked) -> int | None:
    """The number of the right choice, by the log; None if there is none.

    Raises:
        ClassError: The run has not come so far.
    """
    if "right" in about:
        return int(about["right"])
    staged = room.staged()
    if staged is None or not about:
        return None
    if about.get("take") == "next":
        name = _next_of(room.stage.rows, about["after"]) or ("" if room.stage.goes_on else ENDS)
        if not name:
            raise ClassError("The run has not come so far yet. Wait a moment, and reveal it then.")
        return choices.index(name) if name in choices else None
    manager = room.manager(user_of(staged.by))
    return _right_by_lesson(room, manager.sessions.log(staged.pipeline, staged.session), about)


def _next_of(rows: list[StageRow], after: int) -> str | None:
    return next_author([row for row in rows if row.author != "user"], after)


def _right_by_lesson(room: Room, log: Any, about: _Asked) -> int | None:
    from agents.lessons import load_lesson

    if room.stage.goes_on:
        raise ClassError("The run goes on. Wait until it has ended, and reveal it then.")
    lesson = load_lesson(room.manager().catalog.get(room.stage.key[0]))
    step = next((step for step in lesson.steps if step.id == about.get("step")), None) if lesson else None
    if not isinstance(step, Predict):
        return None
    verdicts = (score(step, Answer(value=choice.value), log).right for choice in step.choices)
    return next((number for number, right in enumerate(verdicts) if right), None)


def _book(room: Room) -> ClassPlaybook:
    if (book := room.playbook()) is None:
        raise ClassError("The class writes no playbook yet. Begin one at the desk.")
    return book


def _text(asked: _Asked, name: str) -> str:
    value = asked.get(name)
    return value if isinstance(value, str) else ""


def _texts(asked: _Asked, name: str) -> list[str]:
    value = asked.get(name)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _number(asked: _Asked, name: str) -> int:
    value = asked.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


_Act = Callable[[Room, User, _Asked], None]
_LEARNERS: Mapping[str, _Act] = {"join": _join, "vote": _vote, "add": _add, "switch": _switch, "play": _play}
_TEACHERS: Mapping[str, _Act] = {
    "run": _run, "present": _present, "next": _next, "back": _back, "ask": _ask, "who": _ask_who, "reveal": _reveal,
    "write": _write, "take_reasons": _take_reasons, "merge": _merge, "check": _check, "hunt": _hunt, "cast": _cast,
}  # fmt: skip
ACTS = (*_LEARNERS, *_TEACHERS)
"""Every name of an act; tests walk them."""
