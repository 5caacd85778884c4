"""The forms of keys and tokens that begin with a mark of their service."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class _Form(NamedTuple):
    kind: str
    marks: tuple[str, ...]
    rest: str


_WITH_DIGIT = r"(?=[A-Za-z_-]{0,80}\d)"
"""Names such as "sk-toggleable-content-label" begin like keys, but have no digit."""

_FORMS = (
    _Form("key of the playground", ("playground-",), r"[0-9a-f]{16}-[\w-]{24,256}"),
    _Form(
        "key in Base64",
        ("c2stYW50L", "c2stcHJvai", "Z2hwX", "Z2hwY", "Z2hwZ", "Z2l0aHViX3BhdF", "eG94YW", "eG94Yi", "eG94Y2", "eG94cC",
         "QUtJQ", "QUl6Y", "LS0tLS1CRUdJTi"),
        r"[A-Za-z0-9+/]{16,8192}",
    ),
    _Form("Anthropic key", ("sk-ant-",), r"[\w-]{16,256}"),
    _Form("OpenAI key", ("sk-",), _WITH_DIGIT + r"[\w-]{20,256}"),
    _Form("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"), r"\w{20,256}"),
    _Form("GitLab token", ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-"), r"[\w-]{16,256}"),
    _Form("Groq or xAI key", ("gsk_", "xai-"), r"[A-Za-z0-9]{32,128}"),
    _Form("DigitalOcean token", ("doo_v1_", "dop_v1_", "dor_v1_"), r"[a-f0-9]{32,128}"),
    _Form("AWS key", ("AKIA", "ASIA"), r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _Form("AWS session token", ("IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz", "AQoDYXdz"), r"[A-Za-z0-9+/=%]{40,4096}"),
    _Form("Google key", ("AIza",), r"[\w-]{30,60}"),
    _Form("Google token", ("ya29.", "GOCSPX-"), r"[\w-]{16,512}"),
    _Form("Slack token", ("xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxp-", "xoxr-", "xoxs-", "xapp-"), r"[\w-]{10,256}"),
    _Form("Stripe key", ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"), r"[A-Za-z0-9]{16,256}"),
    _Form("Hugging Face token", ("hf_",), r"[A-Za-z0-9]{20,128}"),
    _Form("npm token", ("npm_",), r"[A-Za-z0-9]{30,128}"),
    _Form("PyPI token", ("pypi-AgE",), r"[\w-]{32,512}"),
    _Form("SendGrid key", ("SG.",), r"[\w-]{16,64}\.[\w-]{16,128}"),
    _Form(
        "key of a service",
        ("hvs.", "dapi", "lin_api_", "ntn_", "ATATT3", "figd_", "glsa_", "sntrys_", "sbp_", "sb_secret_", "r8_", "pplx-",
         "tvly-", "shpat_", "shpss_", "nvapi-", "csk-", "lsv2_pt_", "lsv2_sk_", "pcsk_", "PMAK-", "AGE-SECRET-KEY-1",
         "dp.pt.", "HRKU-"),
        _WITH_DIGIT + r"[\w-]{24,256}",
    ),
    _Form("web token", ("eyJ",), r"[\w-]{8,4096}\.[\w-]{8,4096}(?:\.[\w-]{0,4096})?"),
)  # fmt: skip
_MIXED = r"(?=[A-Za-z]{0,60}\d)(?=[a-z0-9]{0,60}[A-Z])"
_GLUED = (
    ("Anthropic key", r"sk-ant-(?:[a-z]{3,8}\d\d-[\w-]{16,256}|" + _MIXED + r"[A-Za-z0-9]{20,256})"),
    ("OpenAI key", r"sk-(?:(?:proj|svcacct|admin)-)?" + _MIXED + r"[A-Za-z0-9]{20,256}[\w-]{0,256}"),
    ("GitHub token", r"gh[pousr]_[A-Za-z0-9]{36}(?!\w)|github_pat_[A-Za-z0-9]{22}_\w{20,256}"),
    ("GitLab token", r"glpat-" + _MIXED + r"[\w-]{20,64}"),
    ("AWS key", r"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("Slack token", r"xox[abprs]-\d{6,16}-[\w-]{10,256}"),
    ("Stripe key", r"[sr]k_live_[A-Za-z0-9]{16,256}"),
)
"""What is a key even where other letters stand right before it; words such as "task-" end like the marks of keys."""
_BEGIN = re.compile(rb"(?<![A-Za-z0-9_-])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=[\d\[]m)|(?<=%[0-9A-Fa-f]{2})", re.ASCII)
"""Where a word begins: also after an escape of JSON, of a terminal's color and of an address."""

_MARKS = "|".join(re.escape(mark) for form in _FORMS for mark in form.marks).encode()
_MARK = re.compile(_MARKS)
_FIRST = re.compile(rb"(?:[nrtbf]|u[0-9A-Fa-f]{4}|\d{0,2}m|[0-9A-Fa-f]{2})?(?:%b)" % _MARKS, re.ASCII)
_LATER = re.compile(rb"[/+](?:%b)" % _MARKS)
_DOTTED = re.compile(rb"(?:ya29|SG|hvs|dp\.pt|xoxe)\.")
_LONGEST_DOTTED = 6
_GLUED_MARK = re.compile(rb"sk[-_]|gh[opsur]_|github_pat_|glpat-|A[KS]IA|xox[abprs]-|rk_live_")
_TOKEN = re.compile(
    "|".join(f"((?:{'|'.join(map(re.escape, form.marks))}){form.rest})" for form in _FORMS).encode(), re.ASCII
)
_GLUED_TOKEN = re.compile("|".join(f"({form})" for _, form in _GLUED).encode(), re.ASCII)


def tokens_in(text: bytes, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The tokens in a run of letters, digits and the signs `_-+/`: where each begins and ends, and its kind.

    One with dots goes on after the run.
    """
    begin = max(0, start - _LONGEST_DOTTED) if text[start - 1 : start] == b"." else start
    if not (
        _FIRST.match(text, start)
        or _LATER.search(text, start, end)
        or _GLUED_MARK.search(text, start, end)
        or (begin < start and _DOTTED.search(text, begin, start))
    ):
        return
    while mark := _MARK.search(text, begin, end):
        begin = mark.start()
        if (found := _token_at(text, begin)) is None:
            begin += 1
        else:
            yield begin, *found
            begin = found[0]


def _token_at(text: bytes, start: int) -> tuple[int, str] | None:
    """Where the token at a mark ends, and its kind; None if it is none."""
    if _BEGIN.match(text, start):
        found = _TOKEN.match(text, start)
        return None if found is None else (found.end(), _FORMS[(found.lastindex or 1) - 1].kind)
    found = _GLUED_TOKEN.match(text, start)
    return None if found is None else (found.end(), _GLUED[(found.lastindex or 1) - 1][0])
