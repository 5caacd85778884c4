"""What the thorough agent does with the library: searches for each part of a question, reads, and quotes what answers it."""

from __future__ import annotations

import re

from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.complexity_router.complexity import CUE_WORDS, kinds_in
from agents.pipelines.library.articles import Article, sentences_of
from agents.pipelines.library.quotes import is_about, pick, shown, signs_for, subject_of, words_missing
from agents.pipelines.library.research import articles_for
from agents.pipelines.library.words import stems

MOST_PARTS, MOST_HITS, MOST_ARTICLES, MOST_QUOTES, MOST_LACKING = 4, 4, 6, 3, 4

_BETWEEN_PARTS = re.compile(r",?+(?<!\s)\s++and\s++(?=(?:how|why|what|when|who|where|which)\b)", re.IGNORECASE)

_LEANS = re.compile(r"\b(?:it|its|they|them|their|he|she|him|her|his|that)\b", re.IGNORECASE)


def parts_of(question: str) -> list[str]:
    """The questions in a message that have a subject, at most four; the message itself if there is none."""
    parts: list[str] = []
    for part in (part for sentence in sentences_of(question) for part in _BETWEEN_PARTS.split(sentence)):
        if parts and _LEANS.search(part):  # on what the part before is about
            parts[-1] += f" {part}"
        elif subject_of(part):
            parts.append(part)
    return parts[:MOST_PARTS] or [question]


def quote(request: SimulatedRequest, question: str, say: dict[str, str]) -> Reply | str:
    """Calls the library's tools until the articles are read; then answers each part, or says that no article does."""
    parts = parts_of(question)
    articles = articles_for(request, *parts, most=MOST_ARTICLES, hits=MOST_HITS)
    if isinstance(articles, Reply):
        return articles
    answers = [_answer(part, articles, say) for part in parts]
    start = [say["no_plans"]] if "plan" in kinds_in(question) and any("[" in answer for answer in answers) else []
    return "\n\n".join([*start, *dict.fromkeys(answers)])


def _answer(question: str, articles: list[Article], say: dict[str, str]) -> str:
    """The sentences that answer one question; of each article that it names where it names several."""
    about = [article for article in articles if _is_named(article, question) or is_about(article, question)]
    signs = signs_for(question)
    quotes = [
        found
        for article in about
        for found in pick(
            question if is_about(article, question) else article.title, [article], most=MOST_QUOTES, signs=signs
        )
    ]
    if not quotes:
        return say["nothing"].format(question=shown(question))
    lacking = [word for word in words_missing(question, about) if word.lower() not in CUE_WORDS][:MOST_LACKING]
    words = " or ".join(f"“{shown(word)}”" for word in lacking)
    return " ".join([*([say["lacking"].format(words=words)] if lacking else []), *map(str, quotes)])


def _is_named(article: Article, question: str) -> bool:
    return set(stems(article.title)) <= subject_of(question)
