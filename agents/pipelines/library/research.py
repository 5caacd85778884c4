"""How a simulated model uses the library's two tools: it searches, then reads what was found."""

from __future__ import annotations

from collections.abc import Sequence

from agents.models.simulated.model import Reply
from agents.models.simulated.reading.forms import Reading
from agents.models.simulated.request import SimulatedRequest
from agents.pipelines.library.articles import Article


def articles_of(request: SimulatedRequest, reading: Reading) -> list[Article] | Reply:
    """The articles about what a message names, as far as they were read in this turn; the calls to make until then."""
    titles: list[str] = [article.title for article in reading.all("title")]
    searches = request.tool_results("search_library")
    if not searches:
        return Reply(calls=[("search_library", {"query": title, "most": 1}) for title in titles])
    found = {entry["id"]: None for one in searches for entry in (one.response or {}).get("found", [])}
    read: Sequence[dict[str, str]] = [result.response or {} for result in request.tool_results("read_article")]
    if found and not read:
        return Reply(calls=[("read_article", {"id": id_}) for id_ in found])
    return [Article(**fields) for fields in read if "text" in fields]
