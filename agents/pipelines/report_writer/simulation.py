"""What a simulated model answers for the writer, the assistant, the searcher and the summariser.

Each sees its own request and the results of its own tools: the writer sees no article, the searcher no report.
"""

from __future__ import annotations

import json
import re

from agents.models.simulated.language.characters import shortened
from agents.models.simulated.language.phrases import refusal_of
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.library.articles import Article, sentences_of
from agents.pipelines.library.quotes import Quote, citations_in, pick, signs_for
from agents.pipelines.library.research import articles_for

MOST_ARTICLES, MOST_MATERIAL, MOST_PARTS, MOST_LETTERS = 2, 12, 3, 80
NOTHING = "Nothing"
SIDES = {"Origins": "the history of {}", "How it works": "the workings of {}", "Use": "the use of {} today"}
"""What a report on one subject asks: heading → question."""

_ASKED_FOR = re.compile(
    r"\A(?:please\s++)?(?:write|make|prepare|give|draft)?\s*+(?:me\s++|us\s++)?(?:an?\s++|the\s++)?(?:short\s++|brief\s++)?"
    r"(?:report|overview|summary|essay|text)\s++(?:about|on|of)\s++",
    re.IGNORECASE,
)
_NO_CITATIONS = str.maketrans("[]", "()")
"""Square brackets of a subject would be taken for the id of an article."""
_BETWEEN_PARTS = re.compile(r",\s*+(?:and\s++)?|(?<!\s)\s++and\s++")
_FAILED = ("The search failed: ", "The summary failed: ")
_LINE = re.compile(r"\A(.+) \[([\w-]++)\]([.!?])")
_SENTENCE = re.compile(r"(?:(?<![^\[\]])|(?<=\][.!?]))(?=[^\[\]]{2})[^\[\]]++(?<= )\[[\w-]++\][.!?]")
"""Words, then an id in square brackets; begins where the brackets before it end, so that no text is read twice."""


def write(request: SimulatedRequest) -> Reply | str:
    """Has each part of the subject researched, then puts the answers below headings."""
    if (refusal := refusal_of(request.last_user_text())) is not None:
        return refusal
    subject = _ASKED_FOR.sub("", " ".join(request.last_user_text().split())).rstrip(" .!").translate(_NO_CITATIONS)
    questions = plan(subject)
    results = request.tool_results("ResearchAssistant")
    if not results:
        calls = [("ResearchAssistant", {"request": question}) for question in questions.values()]
        return Reply(calls=calls, thought=f"{len(calls)} questions: {'; '.join(questions.values())}.")
    told: set[str] = set()
    sections: list[str] = []
    missing: list[str] = []
    for (heading, question), result in zip(questions.items(), results, strict=False):
        answer = result.response or {}
        found = _SENTENCE.findall(str(answer.get("result", "")))
        if fresh := [sentence.strip() for sentence in found if sentence.strip() not in told]:
            sections.append(f"## {heading}\n\n{' '.join(fresh)}")
            told.update(fresh)
        elif not found:
            failed = "error" in answer or str(answer.get("result", "")).startswith(_FAILED)
            missing.append(f"The research on {question} failed." if failed else f"Nothing was found on {question}.")
    if not sections and not any(said.startswith("The research on ") for said in missing):
        return f"The collection says nothing about {shortened(subject, MOST_LETTERS)}."
    sources = citations_in(" ".join(sections))
    ending = [f"Sources: {', '.join(sources)}"] if sources else []
    return "\n\n".join([f"# {_capital(shortened(subject, MOST_LETTERS))}", *sections, *missing, *ending])


def plan(subject: str) -> dict[str, str]:
    """The headings of a report, and the question that belongs to each."""
    parts = [part for part in _BETWEEN_PARTS.split(subject) if part.strip()]
    if len(parts) > 1:
        return {_capital(shortened(part, MOST_LETTERS)): shortened(part, MOST_LETTERS) for part in parts[:MOST_PARTS]}
    if signs_for(subject):  # it is a question already
        return {_capital(shortened(subject, MOST_LETTERS)): shortened(subject, MOST_LETTERS)}
    return {heading: question.replace("{}", shortened(subject, MOST_LETTERS)) for heading, question in SIDES.items()}


def assist(request: SimulatedRequest) -> Reply | str:
    """Has material searched, then summarised; passes the summary on."""
    question = request.last_user_text()
    searched, summarised = request.last_answer("Searcher"), request.last_answer("Summariser")
    if searched is None:
        return Reply(calls=[("Searcher", {"request": question})])
    if "error" in searched:
        return f"{_FAILED[0]}{searched['error']}"
    material = str(searched.get("result", ""))
    if not _SENTENCE.search(material):
        return f"The collection says nothing about {question}."
    if summarised is None:
        return Reply(calls=[("Summariser", {"question": question, "material": material})])
    return str(summarised.get("result") or f"{_FAILED[1]}{summarised.get('error', 'it is empty')}")


def find(request: SimulatedRequest) -> Reply | str:
    """Searches, reads, then gives every sentence that has to do with the question."""
    question = request.last_user_text()
    articles = articles_for(request, question, most=MOST_ARTICLES)
    if isinstance(articles, Reply):
        return articles
    return "\n".join(map(str, pick(question, articles, most=MOST_MATERIAL))) or NOTHING


def summarise(request: SimulatedRequest) -> str:
    """The sentences of the material that say most about the question."""
    asked = json.loads(request.last_user_text())
    lines = [found for line in asked["material"].splitlines() if (found := _LINE.fullmatch(line))]
    texts: dict[str, list[str]] = {}
    for said, id_, end in (line.groups() for line in lines):
        texts.setdefault(id_, []).append(said + end)
    articles = [Article(id_, id_.replace("-", " "), " ".join(sentences)) for id_, sentences in texts.items()]
    signs = signs_for(asked["question"])
    chosen = pick(asked["question"], articles, most=asked["sentences"], signs=signs, needs_sign=bool(signs))
    return " ".join(map(str, chosen or _first(articles, asked["sentences"])))


def _first(articles: list[Article], most: int) -> list[Quote]:
    return [Quote(article.id, sentence) for article in articles for sentence in sentences_of(article.text)][:most]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


SIMULATION = {"ReportWriter": write, "ResearchAssistant": assist, "Searcher": find, "Summariser": summarise}
