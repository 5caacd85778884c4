"""What the phone, the wall and the desk show, as JSON values: plain text, which the pages put in as text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from agents import PlaygroundError
from agents.access import User

if TYPE_CHECKING:
    from agents.classroom import ClassState, Question, ShownBullet
    from agents.runs import PendingCall
    from ui.classroom.room import Room

View = dict[str, Any]
MOST_ASKED = 6000
"""Most characters of a prompt that are shown."""


def phone(room: Room, user: User) -> View:
    """What a learner sees: the question, their part, the class's playbook. Nothing of other learners but nicknames."""

    def look(state: ClassState) -> View:
        learner = state.learners.get(user.id)
        if learner is None:
            return {"type": "phone", "joined": False}
        found: View = {"type": "phone", "joined": True, "name": learner.nickname, "right": learner.right}
        found["answered"] = learner.answered
        if (question := state.question) is not None:
            mine = question.votes.get(user.id)
            found["question"] = _question(question, counts=not question.is_open) | {
                "mine": None if mine is None else mine.choice,
                "reason": "" if mine is None else mine.reason,
            }
        return found

    view = room.classroom.look(look)
    if view["joined"]:
        view |= _book(room, with_lineage=True) | _stage_of_learner(room, user)
    return view


def wall(room: Room, _user: User) -> View:
    """What the class sees on the wall."""

    def look(state: ClassState) -> View:
        found: View = {
            "type": "wall",
            "code": "" if room.alone else state.code,
            "learners": len(state.learners),
            "focus": state.focus,
        }
        question = state.question
        if question is not None:
            found["question"] = _question(question, counts=True)
        if (staged := state.staged) is not None:
            shown = [row for row in room.stage.rows if staged.shows(row.seq)]
            found["stage"] = {
                "title": room.stage.title,
                "agents": room.stage.agents,
                "rows": [_row(row) for row in shown[-3:]],
                "shown": len(shown),
                "events": len(room.stage.rows),
                "ended": not room.stage.goes_on and len(shown) == len(room.stage.rows),
            }
            found["parts"] = _parts(room, state)
        return found

    return room.classroom.look(look) | _book(room, with_lineage=False)


def desk(room: Room, user: User) -> View:
    """What the teacher sees: the wall, what comes next on it, and who is where."""
    view = wall(room, user) | {"type": "desk", "people": room.learner_rows(), "notes": room.stage.notes}
    view["pipelines"] = [
        {"name": name, "title": title, "agents": agents, "samples": list(samples[:4])}
        for name, title, agents, samples in room.pipelines()
    ]

    def look(state: ClassState) -> View:
        coming = [row for row in room.stage.rows if state.staged and not state.staged.shows(row.seq)]
        reasons = [
            {"name": state.learners[who].nickname, "choice": vote.choice, "reason": vote.reason}
            for who, vote in (state.question.votes.items() if state.question else ())
        ]
        session = {"pipeline": state.staged.pipeline, "session": state.staged.session} if state.staged else None
        can_take = state.question is not None and not state.question.is_open and state.reasons_taken != state.question.id
        return {
            "coming": [_row(row) for row in coming[:3]],
            "reasons": reasons,
            "session": session,
            "can_take": can_take and any(one["reason"] for one in reasons),
        }

    return view | room.classroom.look(look)


def _question(question: Question, *, counts: bool) -> View:
    """A question. Phones get no counts while it is open: each answer would draw it anew below everybody's fingers."""
    return {
        "id": question.id,
        "text": question.text,
        "choices": list(question.choices),
        "open": question.is_open,
        "right": question.right,
        "votes": sum(question.counts) if counts else None,
        "counts": list(question.counts) if counts else None,
    }


def _row(row: Any) -> View:
    return {"seq": row.seq, "author": row.author, "text": row.text}


def _parts(room: Room, state: ClassState) -> list[View]:
    """Who plays which agent, and which of them are being waited for, with what they were asked."""
    assert state.staged is not None
    waiting = {call.agent: call for call in room.stage.waiting}
    return [
        {
            "agent": agent,
            "learner": who,
            "name": state.learners[who].nickname if who in state.learners else "",
            "waits": agent in waiting,
            "asked": _asked(waiting[agent]) if agent in waiting else "",
        }
        for agent, who in state.staged.roles.items()
    ]


def _stage_of_learner(room: Room, user: User) -> View:
    """A learner's part, if they play one, and the calls that wait for them."""
    staged = room.staged()
    mine = [agent for agent, who in staged.roles.items() if who == user.id] if staged is not None else []
    if not mine:
        return {}
    calls = [call for call in room.stage.waiting if call.agent in mine]
    return {
        "part": {
            "agents": mine,
            "call": {
                "id": calls[0].call_id,
                "agent": calls[0].agent,
                "asked": _asked(calls[0]),
                "tools": [str(tool.get("name")) for tool in calls[0].args.get("tools") or () if not _needs(tool)],
            }
            if calls
            else None,
        }
    }


def _asked(call: PendingCall) -> str:
    return str(call.args.get("instruction") or "")[:MOST_ASKED]


def _needs(tool: Any) -> bool:
    """Whether a tool cannot be called without arguments."""
    return bool((tool.get("parameters") or {}).get("required"))


def _book(room: Room, *, with_lineage: bool) -> View:
    """The class's playbook with the check of it and the hunt. During the hunt authors are not shown."""
    try:
        book = room.playbook()
        bullets = [] if book is None else book.bullets()
    except PlaygroundError as error:
        return {"book": {"error": str(error), "bullets": []}}
    if book is None:
        return {}

    def look(state: ClassState) -> View:
        hunt = state.hunt
        return {
            "name": state.playbook,
            "score": state.score,
            "hunt": None
            if hunt is None
            else {
                "left": max(0.0, hunt.began + hunt.seconds - time.time()),
                "target": hunt.target,
                "took": None if hunt.found is None else hunt.found - hunt.began,
            },
        }

    found = room.classroom.look(look)
    hides = found["hunt"] is not None and found["hunt"]["took"] is None and found["hunt"]["left"] > 0
    found["bullets"] = [_bullet(one, lineage=with_lineage, authors=not hides) for one in bullets]
    found["checks"] = [{"question": one.question, "answer": one.answer, "right": one.right} for one in room.checks]
    return {"book": found}


def _bullet(one: ShownBullet, *, lineage: bool, authors: bool) -> View:
    shown: View = {"id": one.id, "text": one.text, "off": one.off, "by": one.switched_by}
    shown["authors"] = list(one.authors) if authors else []
    return shown | ({"lineage": list(one.lineage)} if lineage else {})
