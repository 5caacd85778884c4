"""What trace records read as in a terminal: the phrases of `agents.trace_kinds`, as in the session view.

Both are tested against the same cases, `tests/ui/trace_cases.json`. Pure functions over a record's fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents import trace_kinds
from ui.cli.terminal_words import cut

Record = Mapping[str, Any]
_MINUTE = 60


def heading(kind: str, record: Record) -> str:
    """A record on a line of its own: whose it is, its words, and what else it tells."""
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
    key, failed = record.get("key"), list(map(str, record.get("failed") or ()))
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
    fault, target, seconds = str(record.get("fault")), record.get("target"), record.get("seconds")
    who = target if target and target != "*" else record.get("agent") or "the model"
    does = trace_kinds()["fault_injected"].words.get(fault, fault.replace("_", " "))
    return f"{who} {does}" + (f": {_duration(seconds)}" if seconds else "")


def _drift(record: Record) -> str:
    drifted = list(map(str, record.get("drifted") or ()))
    return _said("replay_drifted", "some" if drifted else "unknown", drifted=_listing(drifted))


def _retry(record: Record) -> str:
    delay, code = record.get("delay"), str(record.get("code") or "")
    name = "replayed" if record.get("replayed") else "later" if delay else "now"
    word = code.lower().replace("_", " ") if code.isupper() else code
    return _said(
        "model_retry",
        name,
        model=record.get("model"),
        code=f" ({word})" if word else "",
        next=int(record.get("attempt") or 1) + 1,
        delay=_duration(delay),
    )


def _protocol(record: Record) -> str:
    protocol = str(record.get("protocol"))
    return _said("tool_protocol", protocol if protocol in {"json", "native"} else "other", protocol=protocol)


def _loading(record: Record) -> str:
    progress = record.get("progress")
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
    "tool_protocol": _protocol,
    "model_loading": _loading,
    "model_loaded": _loaded,
}
"""The kinds that are shown, each with its words."""

_BEFORE = {
    "loop_iteration": "{agent}: ",
    "loop_finished": "{agent} ended: ",
    "fault_injected": "injected: ",
    "replay_drifted": "{agent}: ",
    "model_retry": "{agent}: ",
    "tool_protocol": "{agent}: ",
    "model_loading": "{agent}: ",
}
"""What the session view shows by colour and place, in words."""
_MORE = {"route_decided": ("reason", "error"), "replay_drifted": ("detail",), "tool_protocol": ("reason",)}
"""Fields that tell more, by kind."""


def _said(kind: str, name: str, **fields: object) -> str:
    """A phrase of the vocabulary with its fields filled in."""
    return trace_kinds()[kind].words[name].format(**fields)


def _listing(names: Sequence[str]) -> str:
    """Names in a sentence: "A", "A and B", "A, B and C"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _duration(seconds: object) -> str:
    """Seconds as they are read: "250 ms", "1.3 s", "1 min 35 s"."""
    if not isinstance(seconds, int | float):
        return ""
    if round(seconds, 3) < 1:
        return f"{round(seconds * 1000)} ms"
    if round(seconds, 1) < _MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    return f"{minutes} min {rest:02} s"
