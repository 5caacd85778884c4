"""What a simulated model answers for the writer, the critic and the editor.

The writer quotes its tools' results and has a bad memory; the critic compares words and numbers with what it found; the
editor follows the findings.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.fact_check.recalled_claims import remember
from agents.pipelines.library.articles import sentences_of
from agents.pipelines.library.quotes import (
    Quote,
    is_about,
    pick,
    shown,
    signs_for,
    subject_of,
    without_citations,
    words_missing,
)
from agents.pipelines.library.research import articles_for
from agents.pipelines.library.words import stems

MOST_ARTICLES, MOST_QUOTES, MOST_CLAIMS = 2, 3, 20
ENOUGH, AKIN = 0.75, 0.5
"""Shares of a claim's words: in a sentence that supports it, and in one that is about the same."""

_OF_THE_COLLECTION = ("The collection ", "記事は英語のもの", "这里的文章都是英文", "這裡的文章都是英文")
"""How the sentences begin that are about the collection itself."""
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
_UNSUPPORTED = "- unsupported: "
_REMEMBERED = re.compile(r"^Remembered: *+(\d{1,9})", re.MULTILINE)
_SOURCE = re.compile(r"[\w-]+")


def write(request: SimulatedRequest) -> Reply | str:
    """Searches, reads, then quotes what fits the question and adds what it remembers."""
    question = " ".join(request.section("question").split())
    texts = articles_for(request, question, most=MOST_ARTICLES)
    if isinstance(texts, Reply):
        return texts
    articles = [article for article in texts if is_about(article, question)]
    language = answer_language(question)
    nothing = phrases_beside(__file__, "sentences.toml").texts[language]["no_article"].format(question=shown(question))
    if language != "en" or not articles:
        return nothing
    quotes = pick(articles, most=MOST_QUOTES, words=subject_of(question), signs=signs_for(question))
    remembered = remember(articles[0], quotes, how_many=_remembered(request), draw=random.Random(question))  # noqa: S311  no secret
    lacking = words_missing(question, articles)
    start = [f"The collection does not say anything about {_listed(lacking)}."] if lacking else []
    said = " ".join([*start, *map(str, quotes), *remembered])
    return Reply(said or nothing, thought=f"Not looked up: {' '.join(remembered)}" if remembered else "")


def criticise(request: SimulatedRequest) -> Reply | str:
    """Looks every claim up, then compares it with the sentences that were found."""
    claims = [claim for claim in sentences_of(request.section("draft")) if not claim.startswith(_OF_THE_COLLECTION)]
    results = request.tool_results("search_library")
    if len(results) < len(claims[:MOST_CLAIMS]):
        queries = (without_citations(claim) for claim in claims[:MOST_CLAIMS])
        return Reply(calls=[("search_library", {"query": query, "most": 2}) for query in queries])
    found = [_quotes(result.response or {}) for result in results]
    found += [[] for _ in claims[MOST_CLAIMS:]]  # what is not looked up is not supported
    findings = [judge(claim, quotes) for claim, quotes in zip(claims, found, strict=False)]
    doubtful = sum(not finding["supported"] for finding in findings)
    return Reply(
        json.dumps({"findings": findings}, ensure_ascii=False, indent=1),
        thought=f"{len(claims)} claims looked up, {doubtful} unsupported.",
    )


def edit(request: SimulatedRequest) -> str:
    """The draft, with each claim as its finding asks."""
    draft = request.section("draft")
    for line in request.section("findings").splitlines():
        if line.startswith(_UNSUPPORTED):
            claim, quote = _claim_and_quote(line.removeprefix(_UNSUPPORTED))
            instead = str(quote) if quote and quote.sentence not in without_citations(draft) else ""
            draft = draft.replace(claim, instead, 1)
    return " ".join(draft.split()) or "Nothing in the draft could be supported."


def _claim_and_quote(finding: str) -> tuple[str, Quote | None]:
    """Reads "claim => sentence [source]", where the part from the arrow on may be missing."""
    claim, _, rest = finding.partition(" => ")
    sentence, _, source = rest.removesuffix("]").rpartition(" [")
    if not sentence or not rest.endswith("]") or not _SOURCE.fullmatch(source):
        return finding, None
    return claim, Quote(source, sentence)


def judge(claim: str, quotes: list[Quote]) -> dict[str, Any]:
    """A finding on a claim, from the sentences that a search for it gave."""
    plain = without_citations(claim)
    words, numbers = set(stems(plain)), set(_NUMBER.findall(plain))
    shares = [(len(words & set(stems(quote.sentence))) / max(len(words), 1), quote) for quote in quotes]
    for share, quote in shares:
        if share >= ENOUGH and numbers <= set(_NUMBER.findall(quote.sentence)):
            return {"claim": claim, "supported": True, "source": quote.id}
    share, quote = max(shares, key=lambda pair: pair[0], default=(0.0, Quote("", "")))
    if share < AKIN:
        return {"claim": claim, "supported": False}
    return {"claim": claim, "supported": False, "source": quote.id, "says": quote.sentence}


def _quotes(result: dict[str, Any]) -> list[Quote]:
    return [Quote(entry["id"], line) for entry in result.get("found", []) for line in sentences_of(entry["snippet"])]


def _remembered(request: SimulatedRequest) -> int:
    line = _REMEMBERED.search(request.instruction)
    return int(line[1]) if line else 0


def _listed(words: list[str]) -> str:
    return " or ".join(f"“{shown(word)}”" for word in words[:4])


SIMULATION = {"FactWriter": write, "FactCritic": criticise, "FactEditor": edit}
