"""Masks keys, tokens and passwords in lines of JSON. They are told by their form alone.

Most lines have none, and are only looked at where they may: at runs of many letters and digits, which long keys are, and
after a few words that passwords follow. Time is linear.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

_RUN = b"." * 16
_IN_RUN = bytes(
    ord(".") if chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "_-+/") else ord(" ") for byte in range(256)
)
"""Maps the bytes of keys to a dot, and all others to a blank."""
_IDS = (b"toolu_", b"msg_", b"call_", b"req_")
_NAMES_OF_IDS = (b'uuid":"', b'Uuid":"', b'sessionId":"')
"""Runs that every line has, and that are no secrets."""
_LOOKED_AT = 300
"""Bytes of a run that a token is looked for in: pictures are runs of millions."""
_LONGEST = 16_384
_BEFORE = 80
"""Bytes before a run that may say what it is."""

_TOKENS = {
    "key of the playground": r"playground-[\w-]{24,256}",
    "key in Base64": r"(?:c2stYW50L|c2stcHJvai|Z2hw[X-Z]|Z2l0aHViX3BhdF|eG94[YWZ]|QUtJQ|QUl6Y|LS0tLS1CRUdJTi)"
    r"[A-Za-z0-9+/]{16,8192}",
    "Anthropic key": r"sk-ant-[\w-]{16,256}",
    "OpenAI key": r"sk-[\w-]{20,256}",
    "GitHub token": r"(?:gh[pousr]|github_pat)_\w{20,256}",
    "GitLab token": r"gl(?:pat|dt|rt)-[\w-]{16,256}",
    "Groq or xAI key": r"(?:gsk_|xai-)[A-Za-z0-9]{32,128}",
    "DigitalOcean token": r"do[opr]_v1_[a-f0-9]{32,128}",
    "AWS key": r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "Google key": r"AIza[\w-]{30,60}",
    "Google token": r"(?:ya29\.|GOCSPX-)[\w-]{16,512}",
    "Slack token": r"x(?:ox[abeprs]|app)-[\w-]{10,256}",
    "Stripe key": r"(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,256}",
    "Hugging Face token": r"hf_[A-Za-z0-9]{20,128}",
    "npm token": r"npm_[A-Za-z0-9]{30,128}",
    "PyPI token": r"pypi-[\w-]{40,512}",
    "SendGrid key": r"SG\.[\w-]{16,64}\.[\w-]{16,128}",
    "web token": r"eyJ[\w-]{8,4096}\.[\w-]{8,4096}(?:\.[\w-]{0,4096})?",
}
_TOKEN = re.compile(rb"(?<![A-Za-z0-9_-])(?:%s)" % b"|".join(b"(%s)" % form.encode() for form in _TOKENS.values()), re.ASCII)
_KINDS = list(_TOKENS)

_BEFORE_RUN = {
    b"hooks.slack": ("Slack address", re.compile(rb"hooks\.slack\.com/services/([A-Za-z0-9/]{20,120})")),
    b"bearer ": ("authorization", re.compile(rb"bearer ([\w.~+/=-]{16,4096})", re.IGNORECASE | re.ASCII)),
    b"basic ": ("authorization", re.compile(rb"basic ([\w.~+/=-]{16,4096})", re.IGNORECASE | re.ASCII)),
}
_ADDRESS = re.compile(rb"://[^\s/:@\"'\\<>]{0,100}:([^\s/:@\"'\\<>${}]{3,200})@")
_BY_FLAG = re.compile(
    rb"--[\w-]{0,40}(?:(?P<p>passw(?:or)?d|passphrase)|token|secret|key)[ =]"
    rb"(?:\\{0,3}[\"'])?(?P<value>[^\s\"'\\-][^\s\"'\\]{5,512})",
    re.ASCII,
)
_OF_CURL = re.compile(rb"curl [^\n\\]{0,200}?(?:-u|--user)[ =]?[\"']?[^\s:\"'\\]{1,100}:([^\s\"'\\$]{6,200})")
_COOKIE = re.compile(rb"cookie: ?([\w.-]{1,80}=[^\r\n\"\\]{12,4096})", re.IGNORECASE | re.ASCII)
_NAMED = re.compile(
    rb"(?P<name>key|secret|token|passw(?:or)?d|passphrase|pwd|pass(?==)|auth(?=\\{0,3}\")|credential)"
    rb"(?:s|[_-][\w-]{0,30}|[a-z]{0,20})?(?:\\{0,3}[\"'])?[ \t]?(?P<sign>:=|:|=)[ \t]?"
    rb"(?:\\{0,3}[\"'](?P<quoted>[^\s\"'\\]{6,512})|(?P<bare>[\w+/.~!@#%^&*=-]{6,512})(?![\w(\[{.]))",
    re.IGNORECASE | re.ASCII,
)
"""A name, and its value. In code a value is mostly another name; see `_is_secret`."""
_KEY_OF = (b"_", b"-", b"api", b"access", b"account", b"private", b"signing", b"secret")
"""What stands before "key" in the name of a secret. Other keys are those of tables."""
_CODE = re.compile(rb"[A-Za-z_][A-Za-z_./]*|[\d.:-]+")
_PLACEHOLDER = re.compile(rb"[$%<{*\[]|your|xxx|\.\.\.|example|changeme", re.IGNORECASE)
_DIGIT = re.compile(rb"\d")
_SHORTEST_KEY = 12

_BEGIN, _END = b"-----begin ", b"private key-----"
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

    def mask(self, line: bytes) -> bytes:
        """The line with `[masked: kind]` in the place of each secret. A line of JSON stays one."""
        found = sorted({*_in_runs(line), *_after_words(line, line.lower())})
        kept: list[bytes] = []
        at = 0
        for secret in found:
            if secret.start >= at:
                kept += (line[at : secret.start], b"[masked: %s]" % secret.kind.encode())
                self.masked[secret.kind] += 1
                at = secret.end
        return b"".join((*kept, line[at:])) if kept else line


def _in_runs(line: bytes) -> Iterator[_Found]:
    shape = line.translate(_IN_RUN)
    at = shape.find(_RUN)
    while at >= 0:
        end = shape.find(b" ", at)
        end = len(line) if end < 0 else end
        if line.startswith(_IDS, at) or line.endswith(_NAMES_OF_IDS, 0, at):
            at = shape.find(_RUN, end)
            continue
        begin, until = max(0, at - len("ya29.")), min(end, at + _LOOKED_AT)
        if until < end and b"/" in line[until:end][-_LOOKED_AT:]:  # a path: its last part may be a key
            yield from _tokens(line, max(until, end - _LOOKED_AT), end)
        if line.startswith(b"eyJ", at) or b"SG." in line[begin:at] or _TOKEN.search(line, begin, until):
            yield from _tokens(line, begin, until)
        before = max(0, at - _BEFORE)
        head = line[before:at].lower()
        for word, (kind, pattern) in _BEFORE_RUN.items():
            if (place := head.rfind(word)) >= 0 and (found := pattern.match(line, before + place)):
                yield _Found(*found.span(1), kind)
        for word in (b"key", b"token", b"credential"):
            if (place := head.rfind(word)) >= 0 and (found := _named(line, before + place)):
                yield found
        at = shape.find(_RUN, end)


def _tokens(line: bytes, start: int, end: int) -> Iterator[_Found]:
    """The tokens that begin in a part of a line; one with dots goes on after it."""
    while (found := _TOKEN.search(line, start, start + _LONGEST)) and found.start() < end:
        yield _Found(*found.span(), _KINDS[(found.lastindex or 1) - 1])
        start = found.end()


def _after_words(line: bytes, low: bytes) -> Iterator[_Found]:
    """What follows a word that short secrets follow, too."""
    for word in (b"passw", b"passph", b"pwd", b"pass=", b"secret", b'auth"', b"auth\\"):
        at = low.find(word)
        while at >= 0:
            if found := _named(line, at):
                yield found
            at = low.find(word, at + len(word) if found is None else found.end)
    at = low.find(b"://")
    while at >= 0:
        if found := _ADDRESS.match(line, at):
            yield _Found(*found.span(1), "password in an address")
        at = low.find(b"://", at + 3)
    if _BEGIN in low:
        yield from _private_keys(low)
    for found in _BY_FLAG.finditer(line) if b"--" in line else ():
        if _is_secret(found["value"], is_password=bool(found["p"]), is_env=False, is_quoted=True):
            yield _Found(*found.span("value"), "password" if found["p"] else "key or token")
    for word, pattern in ((b"curl ", _OF_CURL), (b"cookie:", _COOKIE)):
        yield from (_Found(*found.span(1), "authorization") for found in (pattern.finditer(line) if word in low else ()))


def _named(line: bytes, at: int) -> _Found | None:
    """The value of a name at a place, if it is a secret."""
    found = _NAMED.match(line, at)
    if found is None:
        return None
    name, group = found["name"].lower(), "bare" if found["quoted"] is None else "quoted"
    if name == b"key" and not line[max(0, at - 8) : at].lower().endswith(_KEY_OF):
        return None
    is_env = found["name"].isupper() and found["sign"] == b"="
    if not _is_secret(found[group], is_password=name.startswith(b"p"), is_env=is_env, is_quoted=group == "quoted"):
        return None
    return _Found(*found.span(group), "password" if name.startswith(b"p") else "key or token")


def _is_secret(value: bytes, *, is_password: bool, is_env: bool, is_quoted: bool) -> bool:
    """Whether the value of a name is a secret: not a placeholder, and not another name or a number."""
    if _PLACEHOLDER.match(value):
        return False
    if is_password and (is_quoted or is_env):
        return True
    if _CODE.fullmatch(value):
        return is_env and len(value) >= _SHORTEST_KEY and not value[:1].isdigit()
    return bool(_DIGIT.search(value)) and (is_password or len(value) >= _SHORTEST_KEY)


def _private_keys(low: bytes) -> Iterator[_Found]:
    """Private keys: from their first line to the end of their last one, or of the text that they stand in."""
    begin = low.find(_BEGIN)
    while begin >= 0:
        head = low.find(_END, begin, begin + _HEAD)
        end = begin + len(_BEGIN)
        if head >= 0:
            head += len(_END)
            quote = low.find(b'"', head)
            inside = low[head:] if quote < 0 else low[head:quote]
            foot = inside.find(_END)
            end = head + (foot + len(_END) if foot >= 0 else len(inside.rstrip(b"\\")))
            yield _Found(begin, end, "private key")
        begin = low.find(_BEGIN, end)
