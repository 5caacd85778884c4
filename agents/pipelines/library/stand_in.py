"""A simulation for agents that search the web: it searches the built-in articles instead, and says so.

A package opts in with a line beside its `root_agent`, `SIMULATION = {"Searcher": LibrarySearch()}`, or in its card. The
simulation answers when the simulated model is chosen.
"""

from __future__ import annotations

from agents.models.simulated.language.characters import shortened
from agents.models.simulated.model import Reply
from agents.models.simulated.request import SimulatedRequest
from agents.pipelines.library.search import search

_MOST_ASKED = 200


class LibrarySearch:
    """Answers for an agent that has `google_search` with what the built-in articles say."""

    stands_in_for = ("google_search",)

    def __call__(self, request: SimulatedRequest) -> Reply:
        """The sentences that fit what was asked, with the articles that they are from."""
        asked = request.last_user_text() or request.last_text()
        if not (hits := search(asked)):
            short = shortened(asked, _MOST_ASKED)
            return Reply(f"(Simulated: the built-in library was searched, not the web.) No article is about: {short}")
        lines = [f"- {hit.article.title} [{hit.article.id}]: {hit.snippet}" for hit in hits]
        return Reply("\n".join(["(Simulated: the built-in library was searched, not the web.)", *lines]))
