"""Bullets and changes as HTML: nothing that they say becomes markup."""

from __future__ import annotations

import ast
from html.parser import HTMLParser
from pathlib import Path

import pytest

import ui
from agents.ace.bullet import StoredBullet
from ui.playbook import markup
from ui.playbook.delta_effect import BulletEffect

HOSTILE = """<script>alert(1)</script><img src=x onerror=alert(1)>"' ![x](http://x) :material/add: </div>\n## FORGED"""
OF_TEXTS = {"div.said", "blockquote", "dd"}
"""Elements that hold what users and models wrote."""
ALLOWED = {"bdi", "div", "span", "b", "del", "ins", "code", "li", "ul", "table", "tr", "td", "th", "h4"}


class Reader(HTMLParser):
    """What a browser makes of HTML: its tags, its attributes' names, its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text += data


def test_texts_read_from_their_own_side():
    """An Arabic or Hebrew text in a page's HTML begins on the right, whatever the page's language."""
    trees = [ast.parse(path.read_text("utf-8")) for path in Path(ui.__file__).parent.rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    of_texts = [ast.unparse(call) for call in calls if getattr(call.args[0], "value", None) in OF_TEXTS]
    assert len(of_texts) >= 7
    assert [call for call in of_texts if not call.endswith("dir='auto')")] == []


def test_a_hostile_bullet_stays_text():
    bullet = StoredBullet("<i>-00001", HOSTILE, HOSTILE, created_by=HOSTILE, merged_from=(HOSTILE,), created_at=5.0)
    for effect, gone in (
        (None, False),
        (BulletEffect(before="<b>"), False),
        (BulletEffect(came="new"), False),
        (None, True),
    ):
        read = Reader(markup.bullet(bullet, effect, gone=gone, section=True))
        assert read.tags <= ALLOWED
        assert read.names <= {"class", "dir", "title"}
        if effect is None or effect.came:
            assert HOSTILE in read.text


CHANGES = [
    {"type": "ADD", "bullet_id": HOSTILE, "content": HOSTILE},
    {"type": "UPDATE", "bullet_id": HOSTILE, "content": HOSTILE, "before": "x"},
    {"type": "REMOVE", "bullet_id": HOSTILE, "bullet": {"content": HOSTILE}, "by": "refinement", "reason": HOSTILE},
    {"type": "MERGE", "bullet_id": HOSTILE, "bullet_ids": [HOSTILE, "b"], "content": HOSTILE, "merged": []},
    {"type": "TAG", "bullet_id": HOSTILE, "tag": "helpful"},
    {"type": "CITE", "bullet_ids": [HOSTILE], "query": 2},
    {"type": "ADJUST", "bullet_id": HOSTILE, "helpful": -1},
    {"type": "RESTORE", "bullet_id": HOSTILE, "was": HOSTILE, "bullet": {"content": HOSTILE}},
    {"type": "ARCHIVE", "bullet_id": HOSTILE},
    {"type": "UNARCHIVE", "bullet_id": HOSTILE},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change["type"])
def test_each_kind_of_change_is_a_line_and_stays_text(change):
    read = Reader(markup.change_line(change))
    assert read.tags <= ALLOWED
    assert read.names <= {"class"}
    assert HOSTILE[:20] in read.text


def test_a_correction_shows_the_counters_of_the_old_text():
    change = {"type": "UPDATE", "bullet_id": "a-1", "content": "60 days", "before": "30 days"}
    line = Reader(markup.change_line({**change, "counted": {"helpful": 2, "harmful": 0, "neutral": 1}}))
    assert "The counters start anew; the old text had ▲ 2 helpful, ○ 1 neutral." in line.text
    assert "anew" not in Reader(markup.change_line(change)).text


def test_a_rejection_says_what_was_asked_and_why_not():
    line = markup.rejection_line({"operation": {"type": "TAG", "bullet_id": "<b>"}, "reason": "There is <none>."})
    read = Reader(line)
    assert read.tags <= ALLOWED
    assert "TAG <b>" in read.text
    assert "There is <none>." in read.text
    assert "✕" in Reader(markup.rejection_line({})).text


def test_what_was_done_is_said_in_words_too():
    bullet = StoredBullet("u-00001", "units", "new text", helpful=3)
    lit = Reader(markup.bullet(bullet, BulletEffect(before="old text", counted={"helpful": 1}, moved="archived"))).text
    assert "~ text changed" in lit
    assert "▲ 3 helpful +1" in lit
    assert "▽ archived" in lit
    assert "− removed" in Reader(markup.bullet(bullet, None, gone=True)).text
    assert "+ new" in Reader(markup.bullet(bullet, BulletEffect(came="new"))).text
