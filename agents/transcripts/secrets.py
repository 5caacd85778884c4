"""Masks keys, tokens and passwords in lines of JSON. They are told by their form alone.

Most lines have none, and are only looked at where they may: at runs of many letters and digits, which long keys are, and
after a few words and options that passwords follow. Time is linear.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from agents.transcripts.token_forms import tokens_in

_RUN = b"." * 16
_IN_RUN = bytes(
    ord(".") if chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "_-+/") else ord(" ") for byte in range(256)
)
"""Maps the bytes of keys to a dot, and all others to a blank."""
_LOOKED_AT = 1000
"""Bytes of a run that a token is looked for in: pictures are runs of millions."""
_SHORT = 64
"""Bytes of runs that are remembered."""
_BEFORE = 80
"""Bytes before a run that may say what it is."""
_LINE = 240
"""Bytes before an option that may have the name of its command."""
_HIDDEN = re.compile(rb"\\{1,4}u00(2[1-9a-fA-F]|[3-6][0-9a-fA-F]|7[0-9a-eA-E])")
"""A sign of ASCII that is written as an escape, as some programs write them, in JSON within JSON too."""
_MAY_HIDE = re.compile(_HIDDEN.pattern.replace(rb"\\{1,4}", rb"\\"))
_KEPT = (b'"', b"\\")

_QUOTE = rb"\\{0,7}[\"']"
_BLANK = rb"(?:[ \t]|\\{1,4}[nrt])"
_AFTER_NAME = (
    rb"(?:s|[_-][\w-]{0,30}|[a-z]{0,20})?(?:%(quote)b)?[ \t]?(?P<sign>:=|:|=|\xef\xbc\x9a)[ \t]?"
    rb"(?:%(quote)b(?P<quoted>[^\s\"'\\]{6,4096})|(?P<bare>[\w+/.~!@#%%^&*=-]{6,4096}+)(?![(\[{]))" % {b"quote": _QUOTE}
)
"""What follows the name of a secret. In code a value is mostly another name; see `_is_secret`."""

_NAMES = (
    re.compile(
        rb"(?P<name>pass(?:w(?:or)?d|phrase|(?==)|(?=(?:%b)?: ?%b)))%b" % (_QUOTE, _QUOTE, _AFTER_NAME),
        re.ASCII,
    ),
    re.compile(rb"(?P<name>pwd)%b" % _AFTER_NAME, re.ASCII),
    re.compile(rb"(?P<name>secret)%b" % _AFTER_NAME, re.ASCII),
    re.compile(rb"(?P<name>auth(?=\\{0,7}\"|=))%b" % _AFTER_NAME, re.ASCII),
)
"""Names that short secrets follow, too."""
_NAMES_OF_RUNS = {
    b"key": re.compile(rb"(?P<name>key)%b" % _AFTER_NAME, re.ASCII),
    b"token": re.compile(rb"(?P<name>token)%b" % _AFTER_NAME, re.ASCII),
    b"credential": re.compile(rb"(?P<name>credential)%b" % _AFTER_NAME, re.ASCII),
}
"""Names that only long secrets follow."""
_BEFORE_RUN = {
    b"hooks.slack": ("Slack address", re.compile(rb"hooks\.slack\.com/services/([a-z0-9/]{20,120})")),
    b"discord": (
        "Discord address",
        re.compile(rb"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{5,25}/([\w-]{20,120})", re.ASCII),
    ),
    b"sig=": ("signature in an address", re.compile(rb"sig=([\w%+/=-]{30,200})", re.ASCII)),
    b"bearer ": ("authorization", re.compile(rb"bearer ([\w.~+/=-]{16,4096})", re.ASCII)),
    b"basic ": ("authorization", re.compile(rb"basic ([\w.~+/=-]{16,4096})", re.ASCII)),
    b"authorization": (
        "authorization",
        re.compile(rb"authorization(?:%b)?: ?(?:%b)?[a-z-]{3,12} ([\w.~+/=-]{16,4096})" % (_QUOTE, _QUOTE), re.ASCII),
    ),
}  # fmt: skip
_NOT_TOLD = (b'{"', b',"', b'["', b'"id":"', b'_id":"', b'"name":"')
"""What stands before a name, an item of a list, and an id: no word before it says that it is a secret."""
_HINTS = (b"key", b"token", b"credential", b"bearer", b"basic", b"authoriz", b"slack", b"discord", b"sig=")
_TELEGRAM = re.compile(rb"\d{8,10}:AA[\w-]{33}(?![\w-])", re.ASCII)

_ADDRESS = re.compile(rb"://[^\s/:@\"'\\<>]{0,100}:([^\s/\"'\\<>${}]{3,200})@")
_NETRC = re.compile(
    rb"machine%(blank)b{1,20}%(word)b{1,200}%(blank)b{1,20}login%(blank)b{1,20}%(word)b{1,200}%(blank)b{1,20}"
    rb"password%(blank)b{1,20}(%(word)b{3,200})" % {b"blank": _BLANK, b"word": rb"[^\s\"'\\]"}
)
_LONG_OPTION = re.compile(
    rb"--(?!-)(?:(?P<key>begin [a-z0-9 ]{0,40}private key)"
    rb"|(?P<user>user[ =](?:%(quote)b)?[^\s:\"'\\]{0,100}:)(?P<of_user>[^\s\"'\\$]{3,200})"
    rb"|[\w-]{0,40}(?:(?P<pass>passw(?:or)?d|passphrase|pass)|token|secret|key)(?:[ =]|%(quote)b, ?)(?:%(quote)b)?"
    rb"(?P<value>[^\s\"'\\-][^\s\"'\\]{5,512}))" % {b"quote": _QUOTE},
    re.ASCII,
)
_SHORT_OPTION = re.compile(
    rb" -(?:(?P<u>u) ?(?:%(quote)b)?[^\s:\"'\\]{0,100}:|(?P<pass>pass(?:in|out)?) (?:%(quote)b)?pass:"
    rb"|(?P<letter>[pPaw])(?P<blank> ?)(?:%(quote)b)?)(?P<value>[^\s\"'\\$<%%{][^\s\"'\\]{2,200})" % {b"quote": _QUOTE}
)
_COMMAND = re.compile(
    rb"(?<![\w.-])(?:(?P<u>curl)|(?P<p>sshpass|mongo\w*|(?<!auth )login)|(?P<none>ssh|scp|sftp)"
    rb"|(?P<glued>mysql\w*|mariadb[\w-]*|7za?)|(?P<a>redis-cli)|(?P<w>ldap\w+)|(?P<P>(?:un)?zip)|(?P<pass>openssl|keytool))(?![\w-])",
    re.ASCII,
)
"""Commands, by the short option that their password follows."""
_END_OF_COMMAND = re.compile(rb"\\n|[\n;|]|&&")
_COOKIE = re.compile(rb"cookie: ?([\w.-]{1,80}=[^\r\n\"\\]{12,4096})", re.ASCII)
_WORDS_ABROAD = ("パスワード", "密码", "密碼", "비밀번호")
_ABROAD = re.compile(
    rb"(?:%b)(?:%b)?[ \t]?(?::|=|\xef\xbc\x9a)[ \t]?(?:%b)?([!#-&(-\[\]-~]{4,200})"
    % ("|".join(_WORDS_ABROAD).encode(), _QUOTE, _QUOTE)
)

_KEY_OF = (b"_", b"-", b"api", b"access", b"account", b"private", b"signing", b"secret")
"""What stands before "key" in the name of a secret. Other keys are those of tables."""
_CODE = re.compile(rb"[A-Za-z_][A-Za-z_./]*|[\d.:-]+")
_PLACEHOLDER = re.compile(rb"[$%<{*\[]|your|xxx|\.\.\.|example|changeme", re.IGNORECASE)
_PLACE = re.compile(
    rb"(?:~|\.{1,2}|/(?:home|users|etc|var|tmp|usr|opt|root|mnt|app|srv|run|workspace|private|data))/|[a-z]:[\\/]|https?:",
    re.IGNORECASE,
)
"""Paths and addresses."""
_DIGIT = re.compile(rb"\d")
_SHORTEST_KEY = 12

_PEM = b"-----begin "
_END_OF_PEM = re.compile(rb"private key(?: block)?-----")
_FOOT_OF_PEM = re.compile(rb"%b|\"" % _END_OF_PEM.pattern)
_HEAD = 80
"""Most bytes from the beginning of a private key's first line to its end."""


class _Found(NamedTuple):
    start: int
    end: int
    kind: str


class Secrets:
    """Masks secrets, and counts what it masked.

    Attributes:
        masked: How many of each kind.
    """

    def __init__(self) -> None:
        self.masked: Counter[str] = Counter()

    def mask(self, lines: bytes) -> bytes:
        """Lines of JSON, or other text, with `[masked: kind]` in the place of each secret. A line of JSON stays one."""
        if not _MAY_HIDE.search(lines):
            return self._masked(lines)
        return b"".join(map(self._unhidden, lines.splitlines(keepends=True)))

    def mask_text(self, text: str) -> str:
        """A text without its secrets."""
        return self.mask(text.encode("utf-8", "replace")).decode()

    def _unhidden(self, line: bytes) -> bytes:
        """A line without its secrets, also those that are written with escapes. Other escapes stay."""
        if _MAY_HIDE.search(line):
            plain = _HIDDEN.sub(_sign, line)
            if (found := self._masked(plain)) != plain:
                return found
        return self._masked(line)

    def _masked(self, lines: bytes) -> bytes:
        low = lines.lower()
        found = sorted({*_in_runs(lines, low), *_after_words(lines, low), *_after_options(lines, low)})
        kept: list[bytes] = []
        at = 0
        for secret in found:
            if secret.start >= at:
                kept += (lines[at : secret.start], b"[masked: %s]" % secret.kind.encode())
                self.masked[secret.kind] += 1
                at = secret.end
        return b"".join((*kept, lines[at:])) if kept else lines


def _sign(found: re.Match[bytes]) -> bytes:
    sign = bytes([int(found[1], 16)])
    return found[0] if sign in _KEPT else sign


def _in_runs(text: bytes, low: bytes) -> Iterator[_Found]:
    shape = text.translate(_IN_RUN)
    plain: set[bytes] = set()  # runs, with the sign before each, that are no tokens: most ids come again and again
    at = shape.find(_RUN)
    while at >= 0:
        end = shape.find(b" ", at)
        end = len(text) if end < 0 else end
        run = text[max(0, at - 1) : min(end, at + _LOOKED_AT)]
        if run not in plain:
            found = [*_tokens(text, at, end)]
            yield from found
            if not found and len(run) < _SHORT:
                plain.add(run)
        if not text.endswith(_NOT_TOLD, 0, at):
            head = low[max(0, at - _BEFORE) : at]
            if any(map(head.__contains__, _HINTS)):
                yield from _told_before(text, low, at)
        at = shape.find(_RUN, end)


def _tokens(text: bytes, at: int, end: int) -> Iterator[_Found]:
    """The tokens in a run."""
    until = min(end, at + _LOOKED_AT)
    for found in tokens_in(text, at, until):
        yield _Found(*found)
    if until < end and b"/" in text[max(until, end - _LOOKED_AT) : end]:  # a path: its last part may be a key
        for found in tokens_in(text, max(until, end - _LOOKED_AT), end):
            yield _Found(*found)
    if text[at - 1 : at + 2] == b":AA" and (found := _TELEGRAM.search(text, max(0, at - 11), end)):
        yield _Found(*found.span(), "Telegram token")


def _told_before(text: bytes, low: bytes, at: int) -> Iterator[_Found]:
    """The values at a run that a word before it says to be secrets."""
    before = max(0, at - _BEFORE)
    for word, pattern in _NAMES_OF_RUNS.items():
        if (place := low.rfind(word, before, at)) >= 0 and (found := pattern.match(low, place)):
            yield from _value(text, found)
    for word, (kind, pattern) in _BEFORE_RUN.items():
        if (place := low.rfind(word, before, at)) >= 0 and (found := pattern.match(low, place)):
            yield _Found(*found.span(1), kind)


def _after_words(text: bytes, low: bytes) -> Iterator[_Found]:
    for names in _NAMES:
        for found in names.finditer(low):
            yield from _value(text, found)
    for kind, pattern in (
        ("password in an address", _ADDRESS),
        ("password", _NETRC),
        ("authorization", _COOKIE),
    ):
        yield from (_Found(*found.span(1), kind) for found in pattern.finditer(low))
    if not text.isascii() and any(word.encode() in text for word in _WORDS_ABROAD):
        yield from (_Found(*found.span(1), "password") for found in _ABROAD.finditer(text) if _DIGIT.search(found[1]))


def _after_options(text: bytes, low: bytes) -> Iterator[_Found]:
    for found in _LONG_OPTION.finditer(low):
        if found["key"]:
            yield from _private_key(low, found.start() - 3)
        elif found["user"]:
            if b"curl" in low[max(0, found.start() - _LINE) : found.start()]:
                yield _Found(*found.span("of_user"), "authorization")
        elif _is_secret(found["value"], is_password=bool(found["pass"]), is_env=False, is_quoted=True):
            yield _Found(*found.span("value"), "password" if found["pass"] else "key or token")
    for found in _SHORT_OPTION.finditer(text):
        head = _END_OF_COMMAND.split(text[max(0, found.start() - _LINE) : found.start()])[-1]
        command = [command.lastgroup for command in _COMMAND.finditer(head)][-1:]
        option = found["letter"].decode() if found["letter"] else "u" if found["u"] else "pass"
        is_glued = command == ["glued"] and option == "p" and not found["blank"]
        if (command == [option] or is_glued) and not _PLACEHOLDER.match(found["value"]):
            yield _Found(*found.span("value"), "authorization" if found["u"] else "password")


def _value(text: bytes, found: re.Match[bytes]) -> Iterator[_Found]:
    """The value of a name, if it is a secret."""
    name, group = found["name"], "bare" if found["quoted"] is None else "quoted"
    start, end = found.span(group)
    if name == b"key" and not found.string[max(0, found.start() - 8) : found.start()].endswith(_KEY_OF):
        return
    if name == b"pass" and found["sign"] != b"=" and text[found.start() : start].startswith(b"PASS"):  # a test's result
        return
    if name == b"pwd" and text[start:end].startswith((b"/", b"~", b"\\")):  # the folder that a shell is in
        return
    is_password = name.startswith(b"p")
    is_env = text[slice(*found.span("name"))].isupper() and found["sign"] == b"="
    if _is_secret(text[start:end], is_password=is_password, is_env=is_env, is_quoted=group == "quoted"):
        yield _Found(start, end, "password" if is_password else "key or token")


def _is_secret(value: bytes, *, is_password: bool, is_env: bool, is_quoted: bool) -> bool:
    """Whether the value of a name is a secret: not a placeholder or a path, and not another name or a number."""
    if _PLACEHOLDER.match(value) or _PLACE.match(value):
        return False
    if is_password and (is_quoted or is_env):
        return True
    if _CODE.fullmatch(value):
        return is_env and len(value) >= _SHORTEST_KEY and not value[:1].isdigit()
    return bool(_DIGIT.search(value)) and (is_password or len(value) >= _SHORTEST_KEY)


def _private_key(low: bytes, start: int) -> Iterator[_Found]:
    """A private key: from its first line to the end of its last one, or of the text that it stands in."""
    head = _END_OF_PEM.search(low, start, start + _HEAD)
    if start < 0 or not low.startswith(_PEM, start) or head is None:
        return
    foot = _FOOT_OF_PEM.search(low, head.end())
    end = len(low) if foot is None else foot.end()
    if foot is None or foot[0] == b'"':  # cut off; the quote may be escaped
        end = head.end() + len(low[head.end() : end].rstrip(b'\\"'))
    yield _Found(start, end, "private key")
