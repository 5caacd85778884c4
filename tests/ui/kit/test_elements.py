"""HTML is built in one place, where text stays text."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.kit.elements import Html, element, html, joined

HOSTILE = """</b><script>alert(1)</script><img src=x onerror=alert(1)>"' onclick='x' &lt;b&gt;\r\n\t</div>"""


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
        lambda text: element("b", f"{element('b', text)}"),
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
