"""The text of a file that the user named, in the encodings that editors and spreadsheets write."""

from __future__ import annotations

import codecs
import re

WESTERN = "cp1252"
"""What Windows programs write in Western Europe and America. In it nearly any bytes are some text."""

_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_WORD = re.compile(rb"[A-Za-z\x80-\xff]{2,}")
_FAR_LETTER = re.compile(rb"[\x80-\xff]")


def decoded(content: bytes) -> str:
    """Text in UTF-8, in UTF-16 with a byte order mark, or else in Windows-1252.

    Raises:
        UnicodeDecodeError: It is none of them.
    """
    encoding = next((encoding for bom, encoding in _BOMS.items() if content.startswith(bom)), "utf-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8" or not may_be_western(content):
            raise
        return content.decode(WESTERN)


def may_be_western(content: bytes) -> bool:
    """Whether bytes that are no UTF-8 read as text in Windows-1252.

    They do not where a byte stands for no character there, or where the letters of words beyond ASCII are not a minority:
    such words are Cyrillic, Greek, Chinese, Japanese or Korean in an older encoding.
    """
    try:
        content.decode(WESTERN)
    except UnicodeDecodeError:
        return False
    words = [word for word in _WORD.findall(content) if _FAR_LETTER.search(word)]
    return 2 * sum(len(_FAR_LETTER.findall(word)) for word in words) <= sum(map(len, words))
