"""Builds HTML: text and attributes are escaped, so that nothing from users, models or tools becomes markup.

    element("p.note", "See ", element("a", title, href=address))

Only the elements and attributes that pages use are allowed; a new one is a word in the patterns below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape

_ELEMENT = "a|b|bdi|blockquote|code|dd|del|div|dl|dt|h3|h4|ins|li|p|pre|small|span|table|tbody|td|th|thead|tr|ul"
_ATTRIBUTE = re.compile("aria_label|aria_level|colspan|dir|href|role|scope|tabindex|target|title")
_SELECTOR = re.compile(rf"({_ELEMENT})((?:\.[a-z][a-z0-9_-]*)*)")
_IGNORED = re.compile(r"[\x00-\x20]")
"""What browsers leave out of an address before they read its scheme."""


class Html(str):
    """Finished HTML. Any other text, also one made of it by an f-string, is escaped where it is put into an element."""

    __slots__ = ()


def html(*parts: str) -> Html:
    """Texts and finished HTML one after the other."""
    return joined("", parts)


def joined(separator: str, parts: Iterable[str]) -> Html:
    """Texts and finished HTML with a text between."""
    return Html(_escaped(separator).join(map(_escaped, parts)))


def element(selector: str, /, *parts: str, **attributes: str | int | None) -> Html:
    """An element.

    Args:
        selector: Its name and classes, e.g. `"div.bullet.added"`.
        parts: Its content: texts and finished HTML.
        attributes: Its other attributes, with underscores for hyphens. None leaves one out.

    Raises:
        ValueError: The element, a class or an attribute is not allowed, or the scheme of an address is not HTTP or HTTPS.
    """
    name, start = _start(selector)
    for attribute, value in attributes.items():
        if not _ATTRIBUTE.fullmatch(attribute):
            raise ValueError(f"The attribute {attribute!r} is not allowed. If it runs no script, add it in {__name__}.")
        if value is not None:
            text = _address(str(value)) if attribute == "href" else str(value)
            start += f' {attribute.replace("_", "-")}="{_escaped(text)}"'
    return Html(f"<{start}>{html(*parts)}</{name}>")


@lru_cache(maxsize=256)
def _start(selector: str) -> tuple[str, str]:
    """An element's name, and the start of its tag."""
    read = _SELECTOR.fullmatch(selector)
    if read is None:
        raise ValueError(f"{selector!r} is not allowed. Write element.class; if it runs no script, add it in {__name__}.")
    return read[1], f'{read[1]} class="{read[2][1:].replace(".", " ")}"' if read[2] else read[1]


def _escaped(text: str) -> str:
    """A text for HTML, with line breaks as entities so that changes of white space in the source do not lose them."""
    return text if isinstance(text, Html) else escape(text).replace("\n", "&#10;").replace("\r", "&#13;")


def _address(address: str) -> str:
    scheme, colon, _ = _IGNORED.sub("", address).partition(":")
    if colon and scheme.lower() not in {"http", "https"} and not set(scheme) & set("/?#"):
        raise ValueError(f"An address of a page begins with no scheme, or with https: or http:, not with {scheme!r}.")
    return address
