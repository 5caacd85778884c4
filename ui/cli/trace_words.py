"""Trace records as text for a terminal, in the phrases of `agents.trace_kinds`, like the session view.

Both are tested against the same cases, `tests/ui/trace_cases.json`. Pure functions over the fields of a record, which may
hold any JSON: a database can come from anyone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from agents import trace_kinds
from ui.cli.terminal_words import cut

Record = Mapping[str, Any]
_MINUTE = 60
_LARGEST = 1e15
"""A larger number is no measurement."""


def heading(kind: str, record: Record) -> str:
    """A record on a line of its own: the agent, the phrase, and further fields such as a reason."""
    before = _BEFORE.get(kind, "").format(agent=record.get("agent"))
    more = [cut(str(record[name])) for name in _MORE.get(kind, ()) if record.get(name)]
    return ": ".join([before + SHOWN[kind](record), *more])


def _iteration(record: Record) -> str:
    most = record.get("max_iterations")
    return _said("loop_iteration", "limited" if most else "unlimited", iteration=record.get("iteration"), most=most)


def _loop_end(record: Record) -> str:
    reason = str(record.get("reason") or "ended")
    name = reason if reason in {"escalated", "max_iterations", "empty", "ended"} else "other"
    count = record.get("iterations")
    iterations = f"{count} iteration{'' if count == 1 else 's'}"
    return _said("loop_finished", name, by=record.get("by") or "an agent", iterations=iterations, reason=reason)


def _route(record: Record) -> str:
    key, failed = record.get("key"), _texts(record.get("failed"))
    chose = _said("route_decided", "none") if key is None else f"{_said('route_decided', 'chosen')} {key}"
    about = [
        _said("route_decided", "model", agent=record.get("agent")) if record.get("level") == "model" else "",
        _said("route_decided", "after", failed=_listing(failed)) if failed else "",
    ]
    told = ", ".join(filter(None, about))
    return f"{record.get('router') or record.get('agent')} {chose}" + (f" ({told})" if told else "")


def _transfer(record: Record) -> str:
    return _said("transfer", "done", agent=record.get("agent"), to=record.get("to"))


def _fault(record: Record) -> str:
    fault, target, took = str(record.get("fault")), record.get("target"), _duration(record.get("seconds") or None)
    who = target if target and target != "*" else record.get("agent") or "the model"
    does = trace_kinds()["fault_injected"].words.get(fault, fault.replace("_", " "))
    return f"{who} {does}" + (f": {took}" if took else "")


def _drift(record: Record) -> str:
    drifted = _texts(record.get("drifted"))
    return _said("replay_drifted", "some" if drifted else "unknown", drifted=_listing(drifted))


def _retry(record: Record) -> str:
    delay, code = _amount(record.get("delay")), str(record.get("code") or "")
    name = "replayed" if record.get("replayed") else "later" if delay else "now"
    word = code.lower().replace("_", " ") if code.isupper() else code
    return _said(
        "model_retry",
        name,
        model=record.get("model"),
        code=f" ({word})" if word else "",
        next=int(_amount(record.get("attempt")) or 1) + 1,
        delay=_duration(delay),
    )


def _recorded(record: Record) -> str:
    return _said("tool_recorded", "used", tool=record.get("tool"))


def _protocol(record: Record) -> str:
    protocol = str(record.get("protocol"))
    return _said("tool_protocol", protocol if protocol in {"json", "native"} else "other", protocol=protocol)


def _forked(record: Record) -> str:
    what = record.get("what")
    return _said("forked", "changed" if what else "plain", origin=record.get("origin"), changes=what)


def _transcript_note(record: Record) -> str:
    note, text = str(record.get("note")), cut(" ".join(str(record.get("text")).split()))
    known = note if note in trace_kinds()["transcript_note"].words else "other"
    return _said("transcript_note", known, note=note, text=text, line=record.get("line"))


def _case_run(record: Record) -> str:
    outcome = str(record.get("outcome"))
    known = outcome if outcome in {"held", "failed"} else "error"
    return _said("case_run", known, case=record.get("case"), what=record.get("what"))


def _cases_tried(record: Record) -> str:
    problems = "; ".join(_texts(record.get("problems")))
    if record.get("why"):
        return _said("cases_tried", "unable", why=record.get("why"))
    tried, broken = record.get("tried"), _texts(record.get("broken"))
    cases = f"{tried} case{'' if tried == 1 else 's'}"
    said = _said("cases_tried", "broken" if broken else "passed", cases=cases, broken=", ".join(broken))
    return _said("cases_tried", "some", said=said, problems=problems) if problems else said


def _loading(record: Record) -> str:
    progress = _amount(record.get("progress"))
    far = f"{100 * progress:.0f} %" if progress else ""
    return _said("model_loading", "known" if far else "unknown", model=record.get("model"), far=far)


def _loaded(record: Record) -> str:
    return _said("model_loaded", "timed", model=record.get("model"), took=_duration(record.get("seconds")))


SHOWN: Mapping[str, Callable[[Record], str]] = {
    "loop_iteration": _iteration,
    "loop_finished": _loop_end,
    "route_decided": _route,
    "transfer": _transfer,
    "fault_injected": _fault,
    "replay_drifted": _drift,
    "model_retry": _retry,
    "tool_recorded": _recorded,
    "tool_protocol": _protocol,
    "forked": _forked,
    "transcript_note": _transcript_note,
    "case_run": _case_run,
    "cases_tried": _cases_tried,
    "model_loading": _loading,
    "model_loaded": _loaded,
}
"""The phrase of each kind that is shown."""

_BEFORE = {
    "loop_iteration": "{agent}: ",
    "loop_finished": "{agent} ended: ",
    "fault_injected": "injected: ",
    "replay_drifted": "{agent}: ",
    "model_retry": "{agent}: ",
    "tool_recorded": "{agent}: ",
    "tool_protocol": "{agent}: ",
    "model_loading": "{agent}: ",
}
"""What begins the line of a kind; the session view shows it by colour and place."""
_MORE = {"route_decided": ("reason", "error"), "replay_drifted": ("detail",), "tool_protocol": ("reason",)}
"""Further fields that are shown, by kind."""


def _said(kind: str, name: str, **fields: object) -> str:
    """A phrase of `trace_kinds` with its fields filled in."""
    return trace_kinds()[kind].words[name].format(**fields)


def _listing(names: Sequence[str]) -> str:
    """Names in a sentence: "A", "A and B", "A, B and C"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _texts(value: object) -> list[str]:
    """The items of a list as text; one text alone counts as a list."""
    if isinstance(value, str):
        return [value] if value else []
    return list(map(str, cast("list[object]", value))) if isinstance(value, list) else []


def _amount(value: object) -> float | None:
    """A number from 0 on that can be shown, else None."""
    if not isinstance(value, int | float) or not 0 <= value < _LARGEST:  # NaN is not, either
        return None
    return float(value)


def _duration(value: object) -> str:
    """Seconds as text: "250 ms", "1.3 s", "1 min 35 s"; "" for what is no number of seconds."""
    if (seconds := _amount(value)) is None:
        return ""
    if round(seconds, 3) < 1:
        return f"{round(seconds * 1000)} ms"
    if round(seconds, 1) < _MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    return f"{minutes} min {rest:02} s"
