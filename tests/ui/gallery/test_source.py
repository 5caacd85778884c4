"""Source files as HTML with notes above the lines worth a look."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import BaseAgent
from agents.pipeline import Highlight, Pipeline
from agents.pipelines.plain_card import plain_card
from ui.gallery import source
from ui.gallery.source import Mark, as_html, files, marks, text_of

CODE = '''"""Two agents."""

from agents import LlmAgent  # the only import


def make(name: str) -> LlmAgent:
    return LlmAgent(name=name, instruction="""Say
<b>nothing</b> & "all".""", n=12)
'''


def lines_of(markup: str) -> str:
    """The text that a person sees, notes left out."""
    without = re.sub(r'<p class="note">.*?</p>', "", markup, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", without))


def of(sources: dict[str, str]) -> Pipeline:
    return Pipeline("p", BaseAgent(name="A"), plain_card("p", BaseAgent(name="A")), Path("p"), sources=sources)


def test_agents_come_first_and_what_presents_them_last():
    sources = dict.fromkeys(("card.py", "tools.py", "simulation.py", "agent.py", "__init__.py"), '"""Short."""\n')
    assert files(of(sources)) == ["agent.py", "tools.py", "simulation.py", "card.py"]
    assert "__init__.py" in files(of(sources | {"__init__.py": "root_agent = make()\n" * 20}))
    assert files(of({})) == []


def test_a_very_long_file_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr(source, "LONGEST", 10)
    assert text_of(of({"agent.py": "a = 1\nb = 2\nc = 3\n"}), "agent.py") == "a = 1\nb = \n# … and 8 characters more."


def test_highlights_are_found_in_their_file():
    highlights = [
        Highlight(text="return LlmAgent(", note="made here"),
        Highlight(text="from agents", note="imported"),
        Highlight(text="nowhere", note="lost"),
        Highlight(text="from agents", note="elsewhere", file="card.py"),
    ]
    assert marks(CODE, "agent.py", highlights) == [Mark(3, "imported"), Mark(7, "made here")]


def test_a_note_stands_above_its_marked_line():
    markup = as_html(CODE, [Mark(3, "see <this>")], label="agent.py")
    note, line = markup.index('<p class="note">see &lt;this&gt;</p>'), markup.index('<pre class="marked">')
    assert note < line < markup.index("LlmAgent")
    assert markup.count('class="line"') == len(CODE.splitlines())


def test_colours_follow_pythons_own_tokens():
    markup = as_html(CODE, [], label="agent.py")
    assert '<span class="keyword">from</span> agents' in markup
    assert '<span class="comment"># the only import</span>' in markup
    assert 'def</span> <span class="name">make</span>' in markup
    assert '<span class="string">&lt;b&gt;nothing&lt;/b&gt; &amp; &quot;all&quot;.&quot;&quot;&quot;</span>' in markup
    assert '<span class="number">12</span>' in markup


@pytest.mark.parametrize(
    "text", [CODE, "def (:\n  'x", "", "\n\n", "x = '''never ended\n<b>\n", "\tif x:\n y\n", "a\x0cb\r\nc"]
)
def test_what_is_seen_is_the_file(text):
    assert lines_of(as_html(text, [], label="x")).splitlines() == text.splitlines()


@given(st.text(), st.integers(1, 5))
def test_nothing_of_a_file_is_markup(text, line):
    markup = as_html(text, [Mark(line, text)], label=text)
    tags = set(re.findall(r"</?[a-z]+[^>]*>", markup))
    assert {re.match(r"</?([a-z]+)", tag)[1] for tag in tags} <= {"div", "pre", "span", "p"}
    assert lines_of(markup).splitlines() == text.splitlines()
