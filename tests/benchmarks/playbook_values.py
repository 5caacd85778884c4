"""What is done to a playbook in memory, by this project alone: applying a delta, writing the prompt, looking for duplicates.

Wall time of one process that waits for nothing. google-adk has no playbook: there is nothing to put beside it.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from tests.benchmarks.playbooks import SECTIONS, id_of, sentences

THRESHOLD = 0.85


def seconds_of(what: str, bullets: int, repeat: int) -> float:
    """Seconds that one time of `what` takes on a playbook of so many bullets."""
    playbook = _playbook(bullets)
    job = _JOBS[what](playbook)
    gc.collect()
    seconds = 0.0
    for number in range(repeat):
        prepared = job(number)
        started = time.perf_counter()
        prepared()
        seconds += time.perf_counter() - started
    return seconds / repeat


@cache
def _playbook(bullets: int) -> Any:
    from agents.ace import Playbook
    from agents.ace.bullet import StoredBullet

    texts = enumerate(sentences(bullets), start=1)
    return Playbook(StoredBullet(id_of(n), SECTIONS[n % len(SECTIONS)], text, helpful=n % 5) for n, text in texts)


_Job = Callable[[int], Callable[[], object]]


def _apply(playbook: Any) -> _Job:
    """Two operations, resolved and applied: a tag and an addition."""
    from agents.ace import Add, Tag
    from agents.ace.resolution import resolve

    def prepare(number: int) -> Callable[[], object]:
        tag = Tag(bullet_id=id_of(number * 37 % len(playbook) + 1), tag="helpful")
        add = Add(section=SECTIONS[number % len(SECTIONS)], content=f"Divide the profit of year {number} by its revenue.")
        return lambda: resolve(playbook, [tag, add], by="curator", at=1.0)

    return prepare


def _render_changed(playbook: Any) -> _Job:
    """The prompt, after one bullet was changed since it was written last."""
    playbook.as_prompt()

    def prepare(number: int) -> Callable[[], object]:
        bullet = playbook.bullets[number * 37 % len(playbook)]
        return playbook.with_bullet(bullet._replace(helpful=bullet.helpful + 1)).as_prompt

    return prepare


def _render_anew(playbook: Any) -> _Job:
    """The prompt of a playbook that was never written before."""
    from agents.ace import Playbook

    return lambda number: Playbook(playbook.bullets).as_prompt


def _duplicates_of_one(playbook: Any) -> _Job:
    """Looks for what says nearly the same as one new bullet, as each commit does, with the index that the last one left."""
    from agents.ace.operations import RefinePolicy
    from agents.ace.refine.refinement import refine

    policy = RefinePolicy(similarity=THRESHOLD, prune=False)
    texts = sentences(1000, seed=11)

    def with_one_more(number: int) -> Any:
        from agents.ace.bullet import StoredBullet

        bullet = StoredBullet(id_of(10**6 + number), SECTIONS[number % len(SECTIONS)], texts[number % len(texts)])
        return playbook.with_bullet(bullet), bullet.id

    def prepare(number: int) -> Callable[[], object]:
        following, fresh = with_one_more(number)
        return lambda: refine(following, policy, fresh=[fresh])

    prepare(0)()  # reads the whole playbook once
    return prepare


def _lexical_pass(playbook: Any) -> _Job:
    """Compares all bullets with all, of a playbook that nobody has looked through before."""
    from agents.ace import Playbook
    from agents.ace.operations import RefinePolicy
    from agents.ace.refine.refinement import refine

    policy = RefinePolicy(similarity=THRESHOLD, prune=False)

    def prepare(number: int) -> Callable[[], object]:
        unknown = Playbook(playbook.bullets, name=f"copy {number}")
        return lambda: refine(unknown, policy)

    return prepare


_JOBS: dict[str, Callable[[Any], _Job]] = {
    "apply": _apply,
    "render_changed": _render_changed,
    "render_anew": _render_anew,
    "duplicates_of_one": _duplicates_of_one,
    "lexical_pass": _lexical_pass,
}
