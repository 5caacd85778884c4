"""What a simulated model answers for the writer, the assistant, the searcher and the summariser.

Each sees its own request and the results of its own tools: the writer sees no article, the searcher no report.
"""

from __future__ import annotations

import json
import re

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import Forms, Reading
from agents.pipelines.library.articles import Article
from agents.pipelines.library.quotes import citations_in, pick, signs_for
from agents.pipelines.library.research import articles_of
from agents.pipelines.library.subjects import read_about, title, within_a_sentence

MOST_MATERIAL = 12
NOTHING = "Nothing"

_DATA = words_beside(__file__, "simulation.toml")
FORMS = Forms(_DATA, {"title": title})
"""What is read; the writer's questions are of these forms, too."""
_FAILED = ("The search failed: ", "The summary failed: ")
_LINE = re.compile(r"\A(.+) \[([\w-]++)\]([.!?])")
_SENTENCE = re.compile(r"(?:(?<![^\[\]])|(?<=\][.!?]))(?=[^\[\]]{2})[^\[\]]++(?<= )\[[\w-]++\][.!?]")
"""Words, then an id in square brackets; begins where the brackets before it end, so that no text is read twice."""


def write(request: SimulatedRequest) -> Reply | str:
    """Has each part of the subject researched, then puts the answers below headings."""
    reading = read_about(FORMS, request.last_user_text())
    if reading is None:
        return FORMS.refusal(request.last_user_text())
    subject, questions = plan(reading)
    results = request.tool_results("ResearchAssistant")
    if not results:
        calls = [("ResearchAssistant", {"request": question}) for question in questions.values()]
        said = f"{len(calls)} question{'' if len(calls) == 1 else 's'}: {'; '.join(questions.values())}."
        return Reply(calls=calls, thought=said)
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
    sources = citations_in(" ".join(sections))
    ending = [f"Sources: {', '.join(sources)}"] if sources else []
    return "\n\n".join([f"# {_capital(subject)}", *sections, *missing, *ending])


def plan(reading: Reading) -> tuple[str, dict[str, str]]:
    """The subject of a report; its headings, and the question that belongs to each."""
    subjects = [within_a_sentence(article) for article in reading.all("title")]
    if len(subjects) > 1:
        return _listed(subjects), {_capital(subject): subject for subject in subjects}
    sides = {form: question.format(subjects[0]) for form, question in _DATA["sides"].items()}
    if reading.form in sides:
        return sides[reading.form], {_DATA["headings"][reading.form]: sides[reading.form]}
    return subjects[0], {_DATA["headings"][form]: question for form, question in sides.items()}


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
    if (reading := read_about(FORMS, request.last_user_text())) is None:
        return NOTHING
    articles = articles_of(request, reading)
    if isinstance(articles, Reply):
        return articles
    return "\n".join(map(str, pick(articles, most=MOST_MATERIAL))) or NOTHING


def summarise(request: SimulatedRequest) -> str:
    """The sentences of the material that say most about the question."""
    asked = json.loads(request.last_user_text())
    lines = [found for line in asked["material"].splitlines() if (found := _LINE.fullmatch(line))]
    texts: dict[str, list[str]] = {}
    for said, id_, end in (line.groups() for line in lines):
        texts.setdefault(id_, []).append(said + end)
    articles = [Article(id_, id_.replace("-", " "), " ".join(sentences)) for id_, sentences in texts.items()]
    signs = signs_for(asked["question"])
    chosen = pick(articles, most=asked["sentences"], signs=signs, needs_sign=bool(signs))
    return " ".join(map(str, chosen)) or NOTHING


def _listed(subjects: list[str]) -> str:
    return f"{', '.join(subjects[:-1])} and {subjects[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


SIMULATION = {"ReportWriter": write, "ResearchAssistant": assist, "Searcher": find, "Summariser": summarise}
