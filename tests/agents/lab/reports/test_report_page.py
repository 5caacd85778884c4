"""A run as one HTML page: what it says, and that no text of a run becomes more than text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from agents.errors import LabError
from agents.lab import CLOSED_WORLD, Lab, Sample, arm_style, report_page, wilson
from agents.lab.reports.curves import CHARTS, Line, drawn
from agents.lab.reports.sections import MOST_WRONG
from agents.lab.reports.shown_text import MOST_SHOWN, shown
from agents.lab.results.lab_run import Point
from tests.agents.lab.stage import GENERATED, ByAgent, Drawn, description, finished, parts

pytestmark = pytest.mark.anyio

_BOTTOM_OF_CHART, _HEIGHT_OF_CHART = 232, 220
TWO = '[[arms]]\nkind = "none"\n[[arms]]\nkind = "online"\n'
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "p", "b", "span", "pre"),
    *("dl", "dt", "dd", "div", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"),
    *("figure", "figcaption", "details", "summary", "svg", "path", "text", "circle"),
}
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</dd></details></main><style>*{display:none}</style>",
    "\u202eevil\u2066 \u200b\x00\x07 \U000e0041",
    "lone \ud800 surrogate",
    "a" * 100_000,
    "数式は何ですか",
    "&lt;b&gt; {body} {0} %s",
]


class Page(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.texts = set[str](), set[str](), list[str]()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.texts)


class Hostile(Drawn):
    """Samples whose ids, questions and truths are hostile."""

    def count(self, split: str) -> int:
        return len(HOSTILE)

    def samples(self, split: str) -> Iterator[Sample]:
        return (Sample(id=f"{place} {one[:90]}", question=one, truth=f"truth {one}") for place, one in enumerate(HOSTILE))


def answering(*answers: str) -> ByAgent:
    given = iter(answers)
    return ByAgent(answers={"Generator": lambda _: {**GENERATED, "final_answer": next(given)}})


async def test_hostile_texts_stay_text(tmp_path: Path):
    text = description('[[arms]]\nkind = "none"\n') + f"# {HOSTILE[0]} {HOSTILE[2]}\n"
    await finished(tmp_path, text, data=Hostile(), model=answering(*HOSTILE))
    page = report_page(Lab(tmp_path), "run")
    read = Page(page)
    assert read.tags <= TAGS
    assert not {name for name in read.attributes if name.startswith("on") or name in ("style", "src", "href", "srcset")}
    assert read.text.count("<script>alert(1)</script>") == 5  # id, question, answer, truth, description
    assert r"\u202eevil\u2066 \u200b\u0000\u0007 \ue0041" in read.text
    assert not set(page) & set("\u202e\u2066\u200b\x00\x07\U000e0041")
    assert "and 98,000 more characters" in read.text
    assert max(map(len, re.findall("a+", page))) == MOST_SHOWN
    assert "数式は何ですか" in page
    assert "&lt;b&gt; {body} {0} %s" in read.text
    page.encode("utf-8")


async def test_the_policy_lets_nothing_but_the_style_sheet_through(tmp_path: Path):
    await finished(tmp_path, description(TWO), data=Drawn(3), model=ByAgent())
    page = report_page(Lab(tmp_path), "run")
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in page
    assert "url(" not in style
    assert "@import" not in style


async def test_it_says_what_came_of_the_arms(tmp_path: Path):
    text = description(TWO + '[[arms]]\nkind = "offline"\nepochs = 1\n')
    text = text.replace('"drawn"', '{ generate = "formulas", count = 16 }')
    run = await finished(tmp_path, text, data=None, scorer=None)
    page = report_page(Lab(tmp_path), "run")
    said = " ".join(Page(page).text.split())
    online = run.summary("online")
    assert f"{online.right} of {online.of}" in said
    assert f"{online.interval.low:.1%} to {online.interval.high:.1%}" in said
    assert f"{online.tokens:,}" in said
    assert "McNemar’s test" in said
    assert "Arms that answer different splits are not compared." in said
    assert re.findall(r"Answers on the split (\w+)", said) == ["train", "test"]
    assert run.origin.begun in said
    assert run.origin.data[:12] in said
    assert "also those of training and validation" in said
    assert CLOSED_WORLD in said
    assert said.count("Simulated learner.") == len(CHARTS)
    assert run.origin.about in said
    for place in range(3):
        assert f'stroke="{arm_style(place).colour}"' in page


async def test_gain_labels_and_bands_are_in_the_report(tmp_path: Path):
    arms = TWO + '[[arms]]\nkind = "offline"\nepochs = 1\n[[arms]]\nkind = "offline"\nname = "again"\nepochs = 1\n'
    run = await finished(tmp_path, description(arms), data=Drawn(30))
    page = report_page(Lab(tmp_path), "run")
    gain, rest = run.differences()
    of, without = run.summary("online"), run.summary("none")
    assert (gain.arm, gain.other, rest.other) == ("online", "none", "offline")
    after = page.partition("<h2>Gain</h2>")[2]
    cells = re.findall(r"<td data-label=\"([^\"]+)\"><span>(.*?)</span>", after)[:10]
    assert dict(cells) == {
        "against": "none",
        "its accuracy": f"{of.accuracy:.1%}",
        "the other’s": f"{without.accuracy:.1%}",
        "points": f"<b>{100 * (of.accuracy - without.accuracy):+.1f}</b>",
        "95 % interval": f"{100 * gain.interval.low:+.1f} to {100 * gain.interval.high:+.1f}",
        "p": f"{gain.p:.3f}" if gain.p >= 0.001 else "&lt;&nbsp;0.001",
        "p, corrected": f"{gain.corrected_p:.3f}" if gain.corrected_p >= 0.001 else "&lt;&nbsp;0.001",
        "only this one right": str(gain.only_arm),
        "only the other": str(gain.only_other),
        "questions": "30",
    }
    assert "<h2>Differences</h2>" in after
    assert "<b>again</b>: No question comes out differently" in after
    assert page.count('class="band"') == 8  # four arms in two charts
    assert re.findall(r"<summary>By <b>family</b>, on the split (\w+)</summary>", page) == ["train", "test"]
    family = run.by_label("online")[0]
    assert f"<b>{family.right} of {family.of}</b>" in page.partition(f">{family.value}</th>")[2].partition("</tr>")[0]


@pytest.mark.parametrize("again", [1, 3])
def test_a_band_is_the_interval_over_the_questions_so_far(again: int):
    points = [Point(n * again, n, n, n, 0.5, 0.5, 0, 0, 0) for n in (10, 100)]
    [path] = re.findall(r'class="band" d="M([^"]+)Z"', drawn(CHARTS[1], [Line(0, points)]))
    heights = [(_BOTTOM_OF_CHART - float(one.split()[1])) / _HEIGHT_OF_CHART for one in path.split("L")]
    expected = [bound for place in (0, 1) for bound in (wilson(5, 10)[place], wilson(50, 100)[place])[:: 1 - 2 * place]]
    assert heights == pytest.approx(expected, abs=0.001)


def test_every_arm_has_a_line_of_its_own():
    assert len({arm_style(place) for place in range(40)}) == 40


async def test_what_a_real_model_did_is_not_called_simulated(tmp_path: Path):
    await finished(tmp_path, description(TWO, model="openai:some"), data=Drawn(3), model=ByAgent())
    said = Page(report_page(Lab(tmp_path), "run")).text
    assert "imulated" not in said


async def test_the_first_wrong_answers_of_an_arm_are_listed(tmp_path: Path):
    data = Drawn(MOST_WRONG + 10)
    await finished(tmp_path, description('[[arms]]\nkind = "none"\n'), data=data, model=ByAgent())
    page = report_page(Lab(tmp_path), "run")
    listed = re.findall(r'<p class="place">train:(\d+), number', page)
    wrong = [place for place, one in enumerate(data.samples("train")) if one.truth != "4"]
    assert [int(place) for place in listed] == wrong[:MOST_WRONG]
    assert f"{len(wrong)} wrong answers of 60; the first {MOST_WRONG}" in page


async def test_of_an_offline_arm_only_the_test_is_listed(tmp_path: Path):
    text = description('[[arms]]\nkind = "offline"\nepochs = 1\n')
    await finished(tmp_path, text, data=Drawn(6), model=answering(*["wrong"] * 100))
    listed = re.findall(r'<p class="place">(\w+):\d+, number', report_page(Lab(tmp_path), "run"))
    assert listed == ["test"] * 6


async def test_a_run_without_results_has_a_page(tmp_path: Path):
    Lab(tmp_path).begin(description(TWO), parts=parts())
    said = Page(report_page(Lab(tmp_path), "run")).text
    assert "not begun" in said
    assert "No answer yet." in said
    assert "The data set does not say what it can show." in said


async def test_a_run_that_goes_on_has_a_page(tmp_path: Path):
    lab, pages = Lab(tmp_path), list[str]()
    active = lab.begin(description(TWO), parts=parts(data=Drawn(3)))
    await active.run(lambda _: pages.append(report_page(lab, "run")))
    assert "has not ended; these are its results so far" in pages[0]
    assert "has not ended" not in report_page(lab, "run")


async def test_a_run_that_is_not_there_has_none(tmp_path: Path):
    with pytest.raises(LabError, match="There is no lab run 'run'"):
        report_page(Lab(tmp_path), "run")


@pytest.mark.parametrize("most", [1, 2, 7, 99, 100, 101, 12_345, 3_000_000])
@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.title)
def test_a_line_stays_within_its_chart(chart: Any, most: int):
    points = [Point(n, n, n, n, 1.0, 1.0, n, n, n) for n in sorted({1, most // 2 or 1, most})]
    svg = drawn(chart, [Line(0, points)])
    [path] = re.findall(r'<path d="([^"]+)"', svg)
    numbers = [float(one) for one in re.findall(r"[\d.]+", path)]
    assert all(12 <= one <= 428 for one in numbers)
    assert svg.count('text-anchor="middle"') >= 3
    assert "style=" not in svg


def test_a_text_is_cut_before_it_is_escaped():
    assert shown("<" * 5, most=3) == '&lt;&lt;&lt;<span class="more"> … and 2 more characters</span>'
    assert json.dumps(shown("a\r\nb\u200db")) == json.dumps("a\nb\u200db")
