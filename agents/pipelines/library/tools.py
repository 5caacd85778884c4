"""The two tools with which a model uses the collection."""

from __future__ import annotations

import difflib
from typing import Annotated, Any

from pydantic import Field

from agents.pipelines.library.articles import collection
from agents.pipelines.library.search import search

_MOST_SHOWN = 80


def search_library(query: str, most: Annotated[int, Field(ge=1, le=8)] = 3) -> dict[str, Any]:
    """Searches the collection of articles. Nothing is found where no article has any of the words.

    Args:
        query: A few words, or a question.
        most: How many articles to give at most, best first.
    """
    return {
        "found": [
            {"id": hit.article.id, "title": hit.article.title, "snippet": hit.snippet} for hit in search(query, most=most)
        ]
    }


def read_article(id: str) -> dict[str, Any]:
    """Gives the whole text of one article.

    Args:
        id: The article's id, as search_library gives it.
    """
    articles = collection()
    if (article := articles.get(id.strip().strip("[]").casefold())) is None:
        asked = id if len(id) <= _MOST_SHOWN else f"{id[: _MOST_SHOWN - 1]}…"
        close = difflib.get_close_matches(asked, articles, n=3, cutoff=0.5)
        hint = f" Did you mean {' or '.join(close)}?" if close else " Search for one with search_library."
        return {"error": f"There is no article {asked!r}.{hint}"}
    return {"id": article.id, "title": article.title, "text": article.text}
