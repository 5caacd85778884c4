"""The text of `/metrics`, in Prometheus' format. Labels have few values, and none of them says who did what."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from ui.state import runs
from ui.web.operations import readiness, traffic

_OUTCOMES = ("completed", "failed", "stopped", "interrupted", "paused")


class _Collector:
    """Reads the counts of this process."""

    def collect(self) -> Iterator[Metric]:
        """All metrics."""
        ready = GaugeMetricFamily("playground_ready", "Whether this server can take users.")
        ready.add_metric([], float(not readiness.problems()))
        yield ready
        yield from _runs()
        yield from _requests()


def _runs() -> Iterator[Metric]:
    workspace = runs.workspace()
    counts = workspace.run_counts
    if counts is None:
        return
    load = workspace.runs.load
    yield _gauge("playground_runs_at_work", "Runs that this process does now.", load.at_work)
    yield _gauge("playground_runs_waiting", "Runs that wait for a worker process.", load.waiting)
    started = CounterMetricFamily("playground_runs_started", "Runs begun.")
    started.add_metric([], counts.over + load.at_work + load.waiting)
    yield started
    ended = CounterMetricFamily("playground_runs_ended", "Runs ended or paused, by how.", labels=["outcome"])
    for outcome in (*_OUTCOMES, *(counts.outcomes.keys() - _OUTCOMES)):
        ended.add_metric([outcome], counts.outcomes[outcome])
    yield ended
    entries = CounterMetricFamily("playground_log_entries_appended", "Entries of runs that have ended.")
    entries.add_metric([], counts.entries)
    yield entries
    calls = CounterMetricFamily(
        "playground_model_calls", "Model calls of runs that have ended.", labels=["provider", "answer"]
    )
    for labels, count in list(counts.calls.items()):
        calls.add_metric(list(labels), count)
    yield calls
    tokens = CounterMetricFamily("playground_model_tokens", "Tokens of these calls.", labels=["provider", "direction"])
    for labels, count in list(counts.tokens.items()):
        tokens.add_metric(list(labels), count)
    yield tokens


def _requests() -> Iterator[Metric]:
    with traffic.counts.lock:
        durations, seconds = dict(traffic.counts.durations), dict(traffic.counts.seconds)
        sockets, messages = dict(traffic.counts.sockets), dict(traffic.counts.messages)
    answers = HistogramMetricFamily(
        "playground_request_seconds", "Seconds from a request to the beginning of its answer.", labels=["route", "status"]
    )
    for (kind, status), total in seconds.items():
        reached, buckets = 0, list[tuple[str, float]]()
        for number, bound in enumerate((*map(str, traffic.BUCKETS), "+Inf")):
            reached += durations.get((kind, status, number), 0)
            buckets.append((bound, reached))
        answers.add_metric([kind, status], buckets, total)
    yield answers
    viewers = GaugeMetricFamily("playground_sockets", "Open WebSockets: the viewers.", labels=["route"])
    for kind, count in sockets.items():
        viewers.add_metric([kind], count)
    yield viewers
    said = CounterMetricFamily("playground_log_messages", "Messages in this process' log.", labels=["level"])
    for level in ("warning", "error", "critical"):
        said.add_metric([level], messages.get(level, 0))
    yield said


def _gauge(name: str, help_text: str, value: float) -> Metric:
    made = GaugeMetricFamily(name, help_text)
    made.add_metric([], value)
    return made


def text() -> bytes:
    """All metrics of this process, its memory and descriptors included."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Collector())
    return generate_latest(registry)
