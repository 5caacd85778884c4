"""How a simulated model uses the library's two tools: it searches, then reads what was found."""

from __future__ import annotations

from collections.abc import Sequence

from agents.models.simulated.model import Reply
from agents.models.simulated.reading.forms import Reading
from agents.models.simulated.request import SimulatedRequest
from agents.pipelines.library.articles import Article

MOST_QUERY = 300
"""Characters of a question that are searched for."""


def articles_for(request: SimulatedRequest, *queries: str, most: int, hits: int | None = None) -> list[Article] | Reply:
    """The articles that were read in this turn; the calls to make where it was not searched or read yet.

    Args:
        request: What the model was sent.
        queries: What to search for.
        most: How many articles to read.
        hits: How many articles each search should give; None for the tool's own number.
    """
    searches = request.tool_results("search_library")
    if not searches:
        more = {} if hits is None else {"most": hits}
        return Reply(calls=[("search_library", {"query": query[:MOST_QUERY], **more}) for query in queries])
    found = {entry["id"]: None for one in searches for entry in (one.response or {}).get("found", [])}
    read: Sequence[dict[str, str]] = [result.response or {} for result in request.tool_results("read_article")]
    if found and not read:
        return Reply(calls=[("read_article", {"id": id_}) for id_ in [*found][:most]])
    return [Article(**fields) for fields in read if "text" in fields]


def articles_of(request: SimulatedRequest, reading: Reading) -> list[Article] | Reply:
    """The articles about what a message names, as far as they were read in this turn; the calls to make until then."""
    titles: list[str] = [article.title for article in reading.all("title")]
    return articles_for(request, *titles, most=len(titles), hits=1)
