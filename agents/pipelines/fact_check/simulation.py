"""What a simulated model answers for the writer, the critic and the editor.

The writer quotes its tools' results and has a bad memory; the critic compares words and numbers with what it found; the
editor follows the findings.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import Forms
from agents.models.simulated.reading.kinds import Message
from agents.models.simulated.reading.tokens import Token, tokens_of, written
from agents.pipelines.fact_check.recalled_claims import remember
from agents.pipelines.library import questions
from agents.pipelines.library.articles import Article, collection, sentences_of
from agents.pipelines.library.quotes import Quote, pick, signs_for, without_citations
from agents.pipelines.library.research import articles_of
from agents.pipelines.library.subjects import names_of, read_about, title
from agents.pipelines.library.words import stems

MOST_QUOTES, MOST_CLAIMS = 3, 20
ENOUGH, AKIN = 0.75, 0.5
"""Shares of a claim's words: in a sentence that supports it, and in one that is about the same."""

_DATA = words_beside(__file__, "simulation.toml")
_FREE, _ENDS = frozenset(_DATA["claims"]["free"]), frozenset(_DATA["claims"]["ends"])
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
_UNSUPPORTED = "- unsupported: "
_REMEMBERED = re.compile(r"^Remembered: *+(\d{1,9})", re.MULTILINE)
_SOURCE = re.compile(r"[\w-]+")


def _invention(message: Message, at: int) -> Iterator[tuple[int, Article]]:
    """The article about an invention."""
    yield from ((end, article) for end, article in title(message, at) if article.id in _DATA["inventions"]["ids"])


def _statement(message: Message, at: int) -> Iterator[tuple[int, str]]:
    """A statement of an article from the beginning of its sentence on, perhaps with other numbers."""
    tokens = message.tokens
    end = len(tokens) - (tokens[-1].key in ".!?")
    if _said(tokens[at:end]) in _statements():
        claim = written(message.text, tokens, at, end)
        yield end, f"{claim[0].upper()}{claim[1:]}."


def _said(tokens: Sequence[Token]) -> tuple[str, ...]:
    """What is compared: the words, with one sign for all numbers."""
    return tuple("0" if token.key[0].isdigit() else token.key for token in tokens if token.key not in _FREE)


@cache
def _statements() -> frozenset[tuple[str, ...]]:
    """The sentences of the articles, and their beginnings that say something by themselves, if they name the subject."""
    found: set[tuple[str, ...]] = set()
    for article in collection().values():
        named = set(stems(" ".join(names_of(article))))
        for sentence in sentences_of(article.text):
            tokens = tokens_of(sentence)
            beginnings = (tokens[:end] for end, token in enumerate(tokens) if token.key in _ENDS)
            found |= {_said(one) for one in beginnings if named & set(stems(written(sentence, tokens, 0, len(one))))}
    return frozenset(found)


_FORMS = Forms(
    _DATA | {"forms": {"en": questions.FORMS | _DATA["forms"]["en"]}},
    questions.KINDS | {"invention": _invention, "statement": _statement},
)


def write(request: SimulatedRequest) -> Reply | str:
    """Searches, reads, then quotes what answers the question and adds what it remembers; a claim is the draft as it is."""
    question = request.section("question")
    if (reading := read_about(_FORMS, question)) is None:
        return _FORMS.refusal(question)
    is_answered = reading.form in _DATA["forms"]["en"] or any(questions.answers_to(reading, reading.all("title")))
    if not is_answered:
        return _FORMS.refusal(question)
    if reading.form == "claim":
        return str(reading.get("statement"))
    articles = articles_of(request, reading)
    if isinstance(articles, Reply):
        return articles
    if reading.form == "invented":
        quotes = pick(articles, most=MOST_QUOTES, signs=signs_for(question.lower()), needs_sign=True)
    else:
        quotes = [*questions.answers_to(reading, articles)]
    remembered = remember(articles[0], quotes, how_many=_remembered(request), draw=random.Random(question))  # noqa: S311  no secret
    said = " ".join([*map(str, quotes), *remembered])
    return Reply(said, thought=f"Not looked up: {' '.join(remembered)}" if remembered else "")


def criticise(request: SimulatedRequest) -> Reply | str:
    """Looks every claim up, then compares it with the sentences that were found."""
    draft = request.section("draft")
    is_refusal = _FORMS.examples["en"][0] in draft
    claims = [] if is_refusal else sentences_of(draft)
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


SIMULATION = {"FactWriter": write, "FactCritic": criticise, "FactEditor": edit}
