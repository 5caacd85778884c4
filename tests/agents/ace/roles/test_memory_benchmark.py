"""The benchmark of agent-memory-guard: `python -m tests.agents.ace.roles.test_memory_benchmark` prints it."""

from __future__ import annotations

import pytest
from agent_memory_guard.bench.adapter import MemorySystemAdapter, RememberOutcome
from agent_memory_guard.bench.harness import run_suite
from agent_memory_guard.bench.scoring import score_report

from agents.ace import DeltaBatch, Playbook
from agents.ace.roles.guard import guarded


class GuardedPlaybook(MemorySystemAdapter):
    """A playbook that a model's operations change: each write is an operation ADD, and a key is a section."""

    name = "playbook behind its guard"

    def __init__(self) -> None:
        self._playbook = Playbook()

    def remember(self, key: str, value: str, *, source_class: str = "external_tool") -> RememberOutcome:
        passed = self.pass_on(key, value)
        self._playbook.apply_delta(DeltaBatch(operations=passed))
        return RememberOutcome.STORED if passed else RememberOutcome.BLOCKED

    def pass_on(self, key: str, value: str):
        return guarded(self._playbook, [{"type": "ADD", "section": key, "content": value}]).operations

    def recall(self, key: str) -> str | None:
        return next((bullet.content for bullet in self._playbook.bullets if bullet.section == key), None)


class OpenPlaybook(GuardedPlaybook):
    """The same without the guard."""

    name = "playbook without it"

    def pass_on(self, key: str, value: str):
        return DeltaBatch.model_validate({"operations": [{"type": "ADD", "section": key, "content": value}]}).operations


@pytest.mark.parametrize(("system", "score", "breaches"), [(GuardedPlaybook, 100, 0), (OpenPlaybook, 4.1, 5)])
def test_the_guard_stops_the_attacks_and_nothing_else(system, score, breaches):
    card = score_report(run_suite(system))

    assert (round(card.score, 1), card.critical_breaches, card.false_positives) == (score, breaches, 0)


if __name__ == "__main__":
    for graded in (score_report(run_suite(system)) for system in (GuardedPlaybook, OpenPlaybook)):
        print(
            f"{graded.system}: grade {graded.grade.value}, score {graded.score:.1f}, defended {graded.defended_total} of "
            f"{graded.malicious_total}, critical breaches {graded.critical_breaches}, "
            f"false positives {graded.false_positives}"
        )
