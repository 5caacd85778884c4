"""Texts on which a pattern or a parser may need more than linear time: runs of every kind of thing that text is made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

STRANGE = "\ue000"
"""A character of private use, which nothing asks for."""


class Attack(NamedTuple):
    """A text of any length: `unit` again and again between `head` and `tail`."""

    head: str
    unit: str
    tail: str = ""

    def text(self, size: int) -> str:
        """About `size` characters."""
        return self.head + self.unit * max(1, (size - len(self.head) - len(self.tail)) // len(self.unit)) + self.tail

    def __str__(self) -> str:
        return f"{self.head!r} + {self.unit!r} * n + {self.tail!r}"


_UNITS = (
    *(" ", "\n", "\r\n", "\t", " \n", " \t", "\n\n  ", "\u00a0", "\u3000", "\x00", "\u2028"),
    *("`", "```\n", "```x\n", "````\n```\n", "~", "~~~\n", "\n```", "` "),
    *("(", ")", "[", "]", "{", "}", "()", "[]", "{}", "[[", "((a", "[x", "[x](", "![", "{a", "}{"),
    *('"', "'", '"a', '{"', '{"a":', '{"a": "', '["', '",', '\\"', "\\", "\\u", "\\ud83d", "“", "“a", "”", "‘", "’"),
    *("*", "**", "** ", "**a", "_", "__", "#", "# ", "#\n", "- ", "-\n", "-", "--", "- [ ] ", "=", "= "),
    *("a=", ":", ": ", "a:"),
    *("0", "1,", "1.", "1 ", "1. ", "1, ", "1-", "1/", "0,000", "12:", "$1", "1%", "1e", "+1", "1 + ", "1 to ", "1a", "-1"),
    *("a", "A", "a ", "a-", "Aa", "A ", "Aa ", "a.", "a. ", "a, ", "a\n", "a\n\n", "a_", "a1", "a'", "a’"),
    *("a b ", "A. ", "U.S."),
    *("the ", "and ", "a and ", "a, and ", "not ", "a of ", "a to ", "in a ", "if ", "a is ", "add ", "I ", "helpful=1 "),
    *("<", ">", "<a", "<a>", "</", "</a>", "<!--", "-->", "<|", "|", "| a ", "|-", "a|", "a | b\n"),
    *("a,b\n", "a\t", "://a", "@a", "a@"),
    *("é", "e\u0301", "\u0301", "日", "あ", "ア", "中文", "。", "、", "日本語。", "五", "百", "１", "，", "：", "（", "「"),
    *("😀", "👍", "👍🏽"),
    *(".", "...", "…", "!", "?", "? ", ",", ", ", ";", "; ", "&", "&amp;", "/", "//", "../", "%", "@"),
    *("~~", "^", "§", "•", "• "),
    *("(a)", "f(", "f()", "def f(", "x = ", "x == ", "import a\n", " if ", "for a in ", "'''", '"""'),
    *("[a] helpful=", "␛", "␟", "␤"),
)

GENERIC = (*(Attack("", unit) for unit in _UNITS), *(Attack("", unit, STRANGE) for unit in _UNITS if len(unit) == 1))
"""For anything that reads text."""


_PLAINEST = (
    *(
        " ",
        "\n",
        "\t",
        " \n",
        "```\n",
        "`",
        "~~~\n",
        "(",
        "[",
        "]",
        "{",
        "}",
        "{}",
        "{a} ",
        '"',
        "'",
        '"a',
        '{"a":',
        '", ',
        "\\",
    ),
    *("\\u", "“", "*", "**", "**a", "#", "# a\n", "- a\n", "=", ":", "1", "1,", "1. ", "a", "A ", "a ", "a-", "a. ", "a\n"),
    *(
        "not ",
        "x = ",
        "<",
        "<!--",
        "<!---->",
        "</",
        "|",
        ",",
        "[a] helpful=",
        "[a-1] helpful=0 harmful=0 :: a\n",
        "é",
        "日",
        "␛",
    ),
)


def framed(head: str = "", tail: str = "") -> Iterator[Attack]:
    """The plainest texts where a format is read up to them: after `head`, before `tail`."""
    return (Attack(head, unit, tail) for unit in _PLAINEST)
