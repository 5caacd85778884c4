"""Labels: what two examples or more teach. Words separate the messages about one thing from those about the others.

    Messages with “declined” (3), “card” (2), “payment” are about card_declined (5 of 6).

Of six messages that this label was given to, it was right for five; the numbers after words count examples.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from agents.models.simulated.language.words import words_beside
from agents.pipelines.ace.simulation.lessons.similarity import is_form_of, is_question, is_same_answer, plain_answer, said_in

MARGIN = 1.3
"""Log odds that a label needs, over the average of the others and over the next one, to be used: nearly 4 to 1."""
MOST_WORDS = 24
LONGEST = 40
"""Characters of a label."""
_MOST_LABEL_WORDS = 4
_SMOOTHING = 0.5
_LEAST_EXAMPLES = 2
_BEGIN, _JOINT = "Messages with ", " are about "
_WORD = re.compile(r"[“\"]([^“”\"]{1,60})[”\"](?: \((\d{1,4})\))?")
_COUNTS = re.compile(r"(\d{1,6}) of (\d{1,6})\)")
_NO_LABEL = frozenset(words_beside(__file__, "words.toml")["no_label"].split())
Key = TypeVar("Key")


class Label(NamedTuple):
    """A label.

    Attributes:
        name: What messages are about.
        words: How many of its examples have which word, the most telling words first.
        examples: How many messages it was right for.
        given: How many messages it was given to, those that were about something else included.
    """

    name: str
    words: Counter[str]
    examples: int
    given: int

    def has_name(self, answer: str) -> bool:
        """Whether an answer is this label."""
        return is_same_answer(self.name, answer)


def read_label(text: str) -> Label | None:
    """The label in a bullet's text; None if it is none. Without counts there are as many examples as a label needs."""
    said, joint, about = text.strip().rpartition(_JOINT)
    if not joint or not said.startswith(_BEGIN):
        return None
    name, _, counts = about.rstrip(".").rpartition(" (")
    found = _COUNTS.fullmatch(counts)
    name = name if found else about.rstrip(".")
    words: Counter[str] = Counter()
    for phrase, often in _WORD.findall(said):
        words.update(dict.fromkeys(said_in(phrase), int(often or 1)))
    if not words or not name.strip():
        return None
    examples, given = (int(found[1]), int(found[2])) if found else (0, 0)
    examples = max(_LEAST_EXAMPLES, examples, *words.values())
    return Label(name.strip(), words, examples, max(examples, given))


def write_label(label: Label) -> str:
    """A label as a bullet's text."""
    words = (f"“{word}”" + (f" ({often})" if often > 1 else "") for word, often in label.words.items())
    return f"{_BEGIN}{', '.join(words)}{_JOINT}{label.name} ({label.examples} of {label.given})."


def label_from(answer: str, questions: Sequence[str], *, is_wording: bool) -> Label | None:
    """The label that messages with one answer teach; None if the answer is a fact that they ask for.

    A name such as card_declined is a label, and so is a word of the messages. Other short answers are, unless the messages
    are questions: “Maria” may answer two questions, and is no kind of questions.

    Args:
        answer: The answer.
        questions: The messages, the newest last.
        is_wording: Whether the newest may be another wording of the others.
    """
    asked = [is_question(question) for question in questions]
    is_named = "_" in answer or any(_is_in(answer, question) for question in questions)
    if not _can_be_label(answer) or (not is_named and (any(asked) if is_wording else all(asked))):
        return None
    label = Label(plain_answer(answer), Counter(), 0, 0)
    for question in questions:
        label = with_example(label, question)
    return label if label.words else None


def with_example(label: Label, question: str) -> Label:
    """A label with one example more. Forms of a word are counted as one."""
    words = label.words.copy()
    words.update({_known_form(word, words) or word for word in sorted(said_in(question))})
    return label._replace(words=words, examples=label.examples + 1, given=label.given + 1)


def most_telling_first(label: Label, others: Iterable[Label]) -> Label:
    """A label with the words that separate it best from others, the best first."""
    labels = [label, *others]
    weights = {word: often * _odds(word, labels)[0] for word, often in label.words.items()}
    kept = sorted(weights, key=lambda word: (-weights[word], -label.words[word], word))[:MOST_WORDS]
    return label._replace(words=Counter({word: label.words[word] for word in kept}))


def find_label(question: str, labels: Sequence[tuple[Key, Label]]) -> Key | None:
    """The label of a message; None if there are fewer than two, or none is ahead by `MARGIN`."""
    known = [label for _, label in labels]
    if not known:
        return None
    scores = [math.log(label.examples / label.given) for label in known]
    for word in said_in(question):
        scores = [score + odds for score, odds in zip(scores, _odds(word, known), strict=True)]
    best = max(scores, default=0.0)
    if best < MARGIN:
        return None
    key, label = labels[scores.index(best)]
    rivals = [score for score, other in zip(scores, known, strict=True) if not other.has_name(label.name)]
    return key if rivals and best - max(rivals) >= MARGIN else None


def _odds(word: str, labels: Sequence[Label]) -> list[float]:
    """The smoothed log odds of a word for each label: how much more usual it is there than in the others."""
    shares = [label.words[known] / label.examples if (known := _known_form(word, label.words)) else 0.0 for label in labels]
    usual = [(sum(shares) - own) / max(1, len(shares) - 1) for own in shares]
    smooth = [_SMOOTHING / (label.examples + 1) for label in labels]
    return [math.log((own + little) / (other + little)) for own, other, little in zip(shares, usual, smooth, strict=True)]


def _known_form(word: str, words: Counter[str]) -> str:
    """The most frequent of words that is the word or a form of it; "" if none is."""
    return word if word in words else max((one for one in words if is_form_of(word, one)), key=words.__getitem__, default="")


def _is_in(answer: str, question: str) -> bool:
    """Whether all words of an answer are in a message."""
    words = said_in(answer)
    return bool(words) and words <= said_in(question)


def _can_be_label(answer: str) -> bool:
    """Whether an answer may be the name of a kind of messages: short, without digits, and no yes or no."""
    name = plain_answer(answer)
    is_short = 0 < len(name) <= LONGEST and len(name.split()) <= _MOST_LABEL_WORDS
    return is_short and name.casefold() not in _NO_LABEL and not any(sign.isdigit() for sign in name)
