"""What a message is about, as far as words tell: which of several descriptions it fits best. Knows no agent."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GROUPS = tuple(
    _words(text)
    for text in (
        """order parcel package delivery deliver delivered shipping ship shipped shipment courier track tracking arrive
        arrived arrival address late lost warehouse""",
        """bill invoice payment pay paid charge charged refund money price cost costs expensive cheap discount voucher coupon
        card bank debit euro euros twice""",
        """repair mend fix broken brake tyre tire flat puncture tube gear chain shift squeak squeal noise rattle light lamp
        battery dynamo wheel spoke pedal saddle seat pump air valve handlebar knee wobble slip oil manual workshop""",
        "password login account newsletter email data privacy username register",
        "film movie weather football politics recipe song joke poem music book holiday restaurant",
        "opening hours shop store street city parking job career",
    )
)
"""Words that go with each other. The last three groups are nobody's here."""

WEAK = _words("order card air open book data light lost late")
"""Words that stand in messages about other things, too."""

_STOP = _words("""
    a about again all am an and any anything are as at be been but by can come could did do does doing done down for from get
    give go goes good got had has have hello help helps her here hey hi his how i if in into is it its just know last let
    like make matter matters me more my need new no not now number of ok okay on one or our out over please problem question
    really right say she so some still such sure tell than thank thanks that the their them then there they thing this those
    through to today too tomorrow up us use very want was way we well were what when where which who why will with would
    wrong yes yesterday you your bicycle bike bye
""")


_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"(?<![\d.,])\d{1,9}(?!\d)")


def words_of(text: str) -> list[str]:
    """The words of a text that say something, lower case, in one form each."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP and len(word) > 1]


def fit(message: str, description: str) -> int:
    """How well a message fits a description: the words that both have, or that go with each other; weak ones count less."""
    own = _related(description)
    return sum(1 if word in _WEAK else 2 for word in dict.fromkeys(words_of(message)) if word in own)


def is_about_something(message: str) -> bool:
    """Whether a message has a subject of its own, and is not "yes", a number or thanks."""
    words = words_of(message)
    return any(word in _KNOWN for word in words) or len(words) >= A_FEW


def is_elsewhere(message: str, matters: str) -> bool:
    """Whether a message has a subject, and it is not one of `matters`."""
    own, words = _related(matters), words_of(message)
    has_other = any(word in _KNOWN and word not in own for word in words)
    match fit(message, matters):
        case 0:
            return has_other or len(words) >= A_FEW
        case 1:
            return has_other
        case _:
            return False


def number_in(text: str) -> int | None:
    """The first whole number in a text."""
    found = _NUMBER.search(text)
    return int(found[0]) if found else None


def _related(description: str) -> frozenset[str]:
    """The words of a description, and those that go with them."""
    own = frozenset(words_of(description))
    return own.union(*(group for group in _GROUPS if own & group))


def _stem(word: str) -> str:
    """A word without its ending, so that "brakes", "braking" and "brake" are one."""
    for ending in ("ings", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) >= len(ending) + 3 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    bare = word.rstrip("e")
    return bare[:-1] if len(bare) > A_FEW and bare[-1] == bare[-2] else bare


A_FEW = 3
_GROUPS = tuple(frozenset(_stem(word) for word in group) for group in GROUPS)
_KNOWN = frozenset[str]().union(*_GROUPS)
_WEAK = frozenset(_stem(word) for word in WEAK)
