"""`Draft`: a playbook that is changed in place while many changes are applied to it, as when a log of deltas is read."""

from __future__ import annotations

from typing import Self

from immutables import Map

from agents.ace.bullet import StoredBullet
from agents.ace.ordered import Edited, Ordered
from agents.ace.playbook import Playbook


class Draft(Playbook):
    """A playbook whose changes change it and give it back, at half of what a value for each of them costs.

    Args:
        start: What it begins as; stays as it is.
    """

    __slots__ = ()

    def __init__(self, start: Playbook) -> None:
        for slot in Playbook.__slots__:
            setattr(self, slot, getattr(start, slot))
        self._bullets = Edited(start._bullets)

    def _with(self, bullets: Ordered[StoredBullet], index: Map[str, int]) -> Self:
        self._bullets = bullets if isinstance(bullets, Edited) else Edited(bullets)
        self._index, self._sections = index, None
        return self

    def _line_tokens(self, bullet: StoredBullet) -> int:
        return 0  # `finished` gets their number

    def finished(self, *, revision: int, tokens: int) -> Playbook:
        """The playbook that came of it.

        Args:
            revision: Which it is.
            tokens: Of its active bullets, as they were counted when that revision was made.
        """
        playbook = Playbook._with(self, Ordered(self._bullets.chunks), self._index)
        playbook.revision, playbook.totals = revision, self.totals._replace(tokens=tokens)
        return playbook
