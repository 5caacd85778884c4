"""The errand of a request about files, read from its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.words import any_of, words_beside

Kind = Literal[
    "list", "read", "write", "copy", "replace", "total", "open", "summarise", "search", "impossible", "no_text", "no_file"
]

MOST_READ = 2_000
"""Characters of a request that are looked at; a text to be written may be longer."""

MOST_REPLACED = 200
"""Characters of a text that is replaced, and of what replaces it."""

MOST_WORDS = 40
"""Words and names of a request that are looked for."""

_PATH = r"(?:[~.]{0,2}/[^\s\"'`“”,;:!?]{1,200}+|(?<![\w./+-])[\w+-][\w./+-]{0,200}\.[A-Za-z]{2,5}(?!\.*+\w))"
_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]++)[\"“”«»]")
_PATHS = re.compile(rf"(?<![\w/.]){_PATH}")
_TARGET = re.compile(
    rf"\b(?:into|to|as|called|named|file|in)\s++(?:(?:a|the|new|file|called)\s++){{0,4}}[`'\"“]?({_PATH})", re.IGNORECASE
)
_WRITING = re.compile(
    r"\b(?:writ\w+|sav\w+|put|stor\w+|not(?:e|ing)|creat\w+|mak\w+|collect\w*|list\w*|summar\w+|add|into)\b", re.IGNORECASE
)
_PUTTING = re.compile(r"\b(?:write|save|put|note|create)\b", re.IGNORECASE)
_PUT_FIRST = re.compile(
    r"\W*+(?:(?:please|now|can you|could you|would you|you should)\W++)*+(?:write|save|put|note|create|make)\b",
    re.IGNORECASE,
)
_IMPOSSIBLE = re.compile(
    r"\W*+(?:(?:please|now|can you|could you|would you|you should)\W++)*+"
    r"(append|add|delete|remove|erase|rename|move|run|execute|send|e-?mail|mail|download|upload|call|print out|buy|order)\b",
    re.IGNORECASE,
)
_REPLACE = re.compile(r"\b(?:replace|change)\s++[\"“`']?+", re.IGNORECASE)
_REPLACED_BY = re.compile(r"[\"”`']?(?<!\s)\s++(?:with|by|to)\s++[\"“`']?+", re.IGNORECASE)
_REPLACED_IN = re.compile(rf"[\"”`']?(?<!\s)\s++in\s++[`'\"“]?({_PATH})", re.IGNORECASE)
_COPY = re.compile(
    rf"\bcop(?:y|ies)\s++(?:the\s++|file\s++){{0,3}}[`'\"“]?({_PATH})\W++(?:in)?to\s++[`'\"“]?({_PATH})", re.IGNORECASE
)
_LITERAL = re.compile(
    rf"\W*+(?:please\s++)?(?:write|save|put|note|create|make)\b[^\n:\"“]{{0,60}}?({_PATH})[`'\"”]?\s*+:(.+)",
    re.IGNORECASE | re.DOTALL,
)
_SUMMARY = re.compile(r"\bsummar|\boverview\b|\bgist\b", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:open|unfinished) (?:points?|tasks?|items?|ends?)\b|\bto-?dos?\b|\b(?:left|still|things?) to do\b", re.IGNORECASE
)
_TOTAL = re.compile(
    r"\b(?:how (?:many|much)|add(?:ing)? up|sum(?: up)?|total(?: up| number| amount)?)"
    r"(?:\s++(?:of|the|all|our|my|up|number))*(?:\s++(\w++))?",
    re.IGNORECASE,
)
_LIST = re.compile(r"\b(?:what|which|list|show)\b[^.?!]{0,40}\bfiles?\b|\A\W*+(?:list|ls|dir)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_NAME = re.compile(r"\b[A-Z][^\W\d_]+\b")
_MENTION = re.compile(r"\b(?:mention\w*|contain\w*|find|search\w*|where|about|say\w*|look for|hold\w*)\b", re.IGNORECASE)


_WORDS: dict[str, list[str]] = words_beside(__file__)
_CJK_LIST, _CJK_READ, _CJK_OPEN, _CJK_OTHER, _CJK_WRITE, _CJK_WRITTEN, _CJK_IDLE = (
    re.compile(any_of(_WORDS[key])) for key in ("list", "read", "open", "other", "write", "written", "idle")
)
_CJK_QUOTED = re.compile(r"[「『“\"]([^「」『』“”\"]{1,2000}+)[」』”\"]")
_CJK_TEXT = re.compile(r"(?:内容|內容|テキスト|文字)\s*+(?:是|为|為|は|に|[:：])\s*+(\S.*)|[:：]\s*+(\S.*)", re.DOTALL)
_UNSAID = frozenset(_WORDS["unsaid"])
_CJK_PATH = re.compile(r"(?<![A-Za-z0-9_./-])[A-Za-z0-9_-][A-Za-z0-9_./-]{0,200}\.[A-Za-z]{2,5}(?![A-Za-z0-9])")
_MONEY, _STOP = frozenset(_WORDS["money"]), frozenset(_WORDS["stop"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What is to be done.

    Attributes:
        kind: The work. "impossible" is what no file tool can do, "no_text" and "no_file" what lacks a text to write or
            a file to write it to.
        paths: Files that the request names, the target left out.
        target: File to write the result to, if any.
        words: What is looked for, the unit that is counted in, or what is impossible.
        text: For "write": the text. For "replace": what to put in place of `words[0]`.
        request: The words of the request that say something, to choose among files by.
    """

    kind: Kind
    paths: tuple[str, ...] = ()
    target: str | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    request: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """What a total is counted in."""
        return self.words[0] if self.words else ""


def read_errand(message: str) -> Errand:
    """What a message asks for; words to search for where nothing else is recognised."""
    head = message[:MOST_READ]
    if whole := _of_given_texts(message, head):
        return whole
    if (found := _IMPOSSIBLE.match(head)) and (found[1].lower() != "add" or _adds_to_file(head)):
        return Errand(kind="impossible", words=(found[1].lower(),))
    if lacking := _lacking(head):
        return lacking
    target = _last(_TARGET, head) if _WRITING.search(head) else None
    paths = tuple(dict.fromkeys(path.rstrip(".") for path in _PATHS.findall(head) if path.rstrip(".") != target))
    unnamed = _PATHS.sub(" ", head)
    kind, words = _kind_and_words(unnamed, bool(paths))
    if target and _asks_nothing_of_files(kind, unnamed) and (text := _text_before_target(head)):
        return Errand(kind="write", target=target, text=text)
    return Errand(kind=kind, paths=paths, target=target, words=words, request=content_words(head))


def read_cjk_errand(message: str) -> Errand | None:
    """What a message in Japanese or Chinese asks for, None if that cannot be told or is more than is read in them."""
    head = plain(message[:MOST_READ])
    paths = tuple(dict.fromkeys(_CJK_PATH.findall(head)))
    is_written = _CJK_WRITTEN.search(head) is not None
    if len(paths) == 1 and _CJK_WRITE.search(head) and not is_written:
        return _cjk_writing(message[:MOST_READ], head, paths[0])
    if not paths and not is_written and _CJK_WRITE.search(head) and _CJK_QUOTED.search(head):
        return Errand(kind="no_file")
    if _CJK_OTHER.search(head) and not (paths and is_written):
        return None
    if paths:
        return Errand(kind="read", paths=paths) if is_written or _CJK_READ.search(head) else None
    if _CJK_OPEN.search(head):
        return Errand(kind="open")
    return Errand(kind="list") if _CJK_LIST.search(head) else None


def _cjk_writing(message: str, head: str, path: str) -> Errand | None:
    """An errand to write the text in quotation marks, or behind "内容是" or a colon; None where another text is meant."""
    if quoted := _CJK_QUOTED.search(message.replace(path, "")):
        return Errand(kind="write", target=path, text=quoted[1])
    if found := _CJK_TEXT.search(message):
        return Errand(kind="write", target=path, text=(found[1] or found[2]).strip())
    rest = _CJK_IDLE.sub("", _CJK_WRITE.sub("", _CJK_PATH.sub("", head)))
    return None if _WORD.search(rest) else Errand(kind="no_text", target=path)


def _of_given_texts(message: str, head: str) -> Errand | None:
    """An errand whose request holds the texts to work with itself: write this, copy that, replace one by the other."""
    if replacement := _replacement(head):
        return replacement
    if found := _COPY.search(head):
        return Errand(kind="copy", paths=(found[1],), target=found[2].rstrip("."))
    if found := _LITERAL.match(message):
        return Errand(kind="write", target=found[1], text=_unquoted(found[2].strip()))
    target, quoted = _last(_TARGET, head), _QUOTED.search(message)
    if target and quoted and quoted[1].strip() != target and _PUTTING.search(head):
        return Errand(kind="write", target=target, text=quoted[1])
    return None


def _adds_to_file(head: str) -> bool:
    """Whether words are to be added to a file: to add numbers up is another thing."""
    return _last(_TARGET, head) is not None and not (_TOTAL.search(head) or _OPEN.search(head) or _SUMMARY.search(head))


def _lacking(head: str) -> Errand | None:
    """An errand to write that names no text, or no file; None for any other."""
    if not _PUT_FIRST.match(head):
        return None
    words = [word.lower() for word in _WORD.findall(_PATHS.sub(" ", head))]
    paths = [path.rstrip(".") for path in _PATHS.findall(head)]
    if len(paths) == 1 and _UNSAID.issuperset(words):
        return Errand(kind="no_text", target=paths[0])
    return None if paths or _kind_and_words(head, False)[0] not in {"list", "search"} else Errand(kind="no_file")


def _replacement(head: str) -> Errand | None:
    """What "replace <old> with <new> in <path>" asks for, old and new on one line each."""
    if (verb := _REPLACE.search(head)) is None:
        return None
    if (by := _REPLACED_BY.search(head, verb.end() + 1)) is None or (
        file := _REPLACED_IN.search(head, by.end() + 1)
    ) is None:
        return None
    old, new = head[verb.end() : by.start()], head[by.end() : file.start()]
    if max(len(old), len(new)) > MOST_REPLACED or "\n" in old + new:
        return None
    return Errand(kind="replace", paths=(file[1],), target=file[1], words=(old,), text=new)


def _asks_nothing_of_files(kind: Kind, head: str) -> bool:
    return kind in {"list", "search"} and not (_LIST.search(head) or _MENTION.search(head))


def _text_before_target(head: str) -> str:
    """The words between the verb and the file in "write hello into a.txt"; "" where there are none."""
    verb, targets = _PUTTING.search(head), list(_TARGET.finditer(head))
    text = head[verb.end() : targets[-1].start()].strip() if verb and targets else ""
    return text if len(text) <= MOST_REPLACED and "\n" not in text else ""


def _kind_and_words(head: str, names_files: bool) -> tuple[Kind, tuple[str, ...]]:
    if _SUMMARY.search(head):
        return "summarise", ()
    if _OPEN.search(head):
        return "open", ()
    if found := _TOTAL.search(head):
        unit = (found[1] or "").lower()
        return "total", ("euros" if not unit or unit in _MONEY else unit, *_names(head[found.end() :]))
    if _LIST.search(head) and not _MENTION.search(head) and not names_files:
        return "list", ()
    if names_files and not _MENTION.search(head):
        return "read", ()
    quoted = tuple(text.strip() for text in _QUOTED.findall(head) if text.strip())
    words = quoted or content_words(head)
    return ("search", words) if words else ("list", ())


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that say what it is about, lower case, each once."""
    words = (word.lower() for word in _WORD.findall(text))
    return tuple(dict.fromkeys(word for word in words if len(word) > 1 and word not in _STOP))[:MOST_WORDS]


def _names(text: str) -> tuple[str, ...]:
    """Words with a capital letter: whom a total is about."""
    return tuple(dict.fromkeys(_NAME.findall(text)))[:MOST_WORDS]


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.findall(text)
    return found[-1].rstrip(".") if found else None


def _unquoted(text: str) -> str:
    found = _QUOTED.fullmatch(text)
    return found[1] if found else text
