"""HTML is built in one place, where text stays text."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ui
from ui.kit.elements import Html, element, html, joined

HOSTILE = """</b><script>alert(1)</script><img src=x onerror=alert(1)>"' onclick='x' &lt;b&gt;\r\n\t</div>"""
MARKUP = re.compile(r"</?[a-z!]")
ELSEWHERE = {
    "shell/styles.py": "the app's own style sheet",
    "dependencies/streamlit_private.py": "Streamlit's page, with the app's own script",
}
"""Where f-strings make markup, and of what."""


class Reader(HTMLParser):
    """What a browser makes of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    "build",
    [
        lambda text: element("b", text),
        lambda text: element("b", "before ", text),
        lambda text: element("b", html(text)),
        lambda text: element("b", joined(text, ["", ""])),
        lambda text: element("b", joined(", ", [text])),
    ],
)
def test_hostile_text_is_inert(build: Callable[[str], Html]):
    read = Reader(build(HOSTILE))
    assert [tag for tag, _ in read.tags] == ["b"]
    assert "<script>alert(1)</script>" in read.text


def test_hostile_attributes_are_inert():
    names = ["aria_label", "aria_level", "colspan", "dir", "role", "scope", "tabindex", "target", "title"]
    [(_, found)] = Reader(element("b", **dict.fromkeys(names, HOSTILE))).tags
    assert found == {name.replace("_", "-"): HOSTILE for name in names}


@given(st.text())
def test_text_comes_back_as_it_was(text):
    if "\x00" not in text:  # HTML has none
        assert Reader(element("div", text)).text == text
        assert Reader(element("div", title=text)).tags == [("div", {"title": text})]


def test_elements_nest_and_text_made_of_them_is_text_again():
    inner = element("b.strong.new", "1 < 2")
    assert inner == '<b class="strong new">1 &lt; 2</b>'
    assert html(inner, " & ", inner) == f"{inner} &amp; {inner}"
    assert joined(" & ", [inner, "<"]) == f"{inner} &amp; &lt;"
    assert element("p", inner, title=None, tabindex=0) == f'<p tabindex="0">{inner}</p>'
    assert element("p", f"{inner}") == "<p>&lt;b class=&quot;strong new&quot;&gt;1 &amp;lt; 2&lt;/b&gt;</p>"


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "\x01javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
    ],
)
def test_addresses_that_run_or_read_something_are_refused(address):
    with pytest.raises(ValueError, match="no scheme, or with https"):
        element("a", "here", href=address)


@pytest.mark.parametrize("address", ["./?at=3&session=a:b", "?a=1:2", "#x:y", "/a:b", "https://example.org", "HTTP://x"])
def test_other_addresses_are_taken(address):
    assert Reader(element("a", "here", href=address)).tags == [("a", {"href": address})]


@pytest.mark.parametrize(
    "selector", ["script", "style", "iframe", "B", "b ", "b.x y", 'b.x"', "b.x>", "b.", "", ".x", "b.\n"]
)
def test_other_elements_and_classes_are_refused(selector):
    with pytest.raises(ValueError, match="not allowed"):
        element(selector, "x")


@pytest.mark.parametrize("name", ["onclick", "style", "src", "srcdoc", "title onclick", "aria-label", "formaction"])
def test_other_attributes_are_refused(name):
    with pytest.raises(ValueError, match="not allowed"):
        element("b", "x", **{name: "x"})


def makes_markup(tree: ast.AST) -> bool:
    """Whether an f-string or a call of `format` has a tag in it, or a text is taken for HTML."""
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=parts):
                texts = [part.value for part in parts if isinstance(part, ast.Constant)]
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
                texts = [text]
            case ast.Call(func=ast.Name(id="Html") | ast.Attribute(attr="Html")):
                return True
            case _:
                continue
        if any(MARKUP.search(text) for text in texts):
            return True
    return False


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("f'<b>{x}</b>'", True),
        ("f'{x}</b>'", True),
        ("'<b>{}</b>'.format(x)", True),
        ("elements.Html(x)", True),
        ("f'p < {x}'", False),
        ("element('b', x)", False),
    ],
)
def test_markup_of_texts_is_found(code, found):
    assert makes_markup(ast.parse(code)) is found


def test_markup_is_made_of_elements_alone():
    folder = Path(ui.__file__).parent
    made = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if makes_markup(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert made == {"kit/elements.py", *ELSEWHERE}
