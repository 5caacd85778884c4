"""The one reader of arithmetic: signs and words, powers, functions, implicit multiplication, percentages, brackets.

Nothing is dropped: what is no expression from its first token to its last is an error. Text is never run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.expression import (
    FUNCTIONS,
    PI,
    Call,
    Expression,
    Name,
    Negative,
    Number,
    Operation,
    Percent,
)
from agents.models.simulated.reading.numbers import number_at, of_digits
from agents.models.simulated.reading.tokens import Token, tokens_of

MOST_PARTS = 200
DEEPEST = 20
_SAID: dict[str, dict[tuple[str, ...], str]] = {
    table: {tuple(token.key for token in tokens_of(word)): meaning for meaning, words in said.items() for word in words}
    for table, said in words_beside(__file__, "arithmetic.toml").items()
}
_LONGEST = max(len(words) for table in _SAID.values() for words in table)
_DECIMAL = re.compile(r"(?:0|[1-9]\d{0,2})\.\d{3}")
_LEADING_ZERO = re.compile(r"0\d")


def parse(text: str, *, names: bool = True) -> Expression:
    """Reads a whole text as an expression.

    Args:
        text: E.g. `price * (1 - discount)`, `0.5 × mass × speed²`.
        names: Whether words may be names of quantities.

    Raises:
        ValueError: It is no expression, or has more than one meaning, or is too long or too deep; the message says which.
    """
    tokens = tokens_of(text)
    reader = _Reader(tokens, 0, names=names)
    found = reader.sum()
    if reader.at < len(tokens):
        raise ValueError(f"It goes on with {tokens[reader.at].written!r} where it should end.")
    return found


def sign_at_end(text: str) -> str:
    """The sign, or what the words for one mean, that a text ends with; "" if it ends with something else."""
    keys = tuple(token.key for token in tokens_of(text)[-_LONGEST:])
    return next((sign for at in range(len(keys)) if (sign := _SAID["signs"].get(keys[at:]))), "")


def expression_at(tokens: list[Token], at: int) -> tuple[int, Expression] | None:
    """The longest expression without names that begins with a token, and the token after it; None if there is none."""
    reader = _Reader(tokens, at, names=False)
    try:
        return (reader.at, found) if (found := reader.sum()) else None
    except ValueError:
        return None


class _Reader:
    """Reads from a token on; `at` is the token that comes next."""

    def __init__(self, tokens: list[Token], at: int, *, names: bool) -> None:
        self.at = at
        self._tokens = tokens
        self._names = names
        self._depth = 0
        self._parts = 0

    def sum(self) -> Expression:
        left = self._product()
        while sign := self._take("signs", "+", "-"):
            right = self._product()
            if isinstance(right, Percent) and not isinstance(left, Percent) and not self._names:
                raise ValueError("Percent of what? 100 + 15 % may be 115 or 100.15.")
            left = Operation(sign, left, right)
        return left

    def _product(self) -> Expression:
        left, sign = self._signed(), ""
        while True:
            before = self.at
            if found := self._take("signs", "*", "/", "mod"):
                left, sign = Operation(found, left, self._signed()), found
            elif isinstance(left, Percent) and self._take("of", "of"):
                left = Operation("*", left, self._signed())
            elif not self._names and self._take("of", "with"):
                if not isinstance(percent := self._signed(), Percent):  # the 的 of 3加5的结果
                    self.at = before
                    return left
                left = Operation("*", percent, left)
            elif self._multiplies():
                if sign == "/":
                    raise ValueError("6 / 2 (1 + 2) has two meanings: set brackets.")
                left = Operation("*", left, self._power())
            else:
                return left

    def _multiplies(self) -> bool:
        """Whether a factor follows without a sign: 2 (3 + 4), (1 + 2)(3 + 4), 2 pi, 2 √9, 0.5 mass."""
        before = self._tokens[self.at - 1].key
        if not (before == ")" or before[0].isdigit()):
            return False
        is_word = self._names and self._at_word()
        return self._key() == "(" or bool(self._found("functions") or self._found("constants")) or is_word

    def _signed(self) -> Expression:
        if not self._take("signs", "-"):
            return self._power()
        return Negative(self._deeper(self._signed))

    def _power(self) -> Expression:
        base = self._atom()
        while found := self._take("behind", "%", "2", "3", "root"):
            if found == "root":
                base = Call("sqrt", (base,))
            else:
                base = Percent(base) if found == "%" else Operation("^", base, Number(Fraction(found)))
        return Operation("^", base, self._deeper(self._signed)) if self._take("signs", "^") else base

    def _atom(self) -> Expression:
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise ValueError(f"It has more than {MOST_PARTS} parts.")
        if self._take("constants", "pi"):
            return PI
        if not self._names and (part := self._take("parts", *"234")):
            return Operation("/", self._deeper(self._power), Number(Fraction(part)))
        found = self._function() or self._number() or (self._name() if self._names else None)
        if found is not None:
            return found
        if self._key() != "(":
            is_end = self.at >= len(self._tokens)
            raise ValueError(
                "It ends where a name or a number should follow."
                if is_end
                else f"A number should follow, not {self._key()!r}."
            )
        self.at += 1
        return self._closed(self._deeper(self.sum))

    def _function(self) -> Expression | None:
        before = self.at
        function = self._take("functions", *FUNCTIONS)
        if function and self._key() == "(":
            return self._call(function)
        if function == "sqrt":
            return Call(function, (self._deeper(self._atom),))
        self.at = before
        return None

    def _name(self) -> Expression | None:
        begin = self.at
        self.at += self._key() == "x"  # a sign elsewhere
        while self._at_word():
            self.at += 1
        words = [
            token.written if place == begin or token.begin == self._tokens[place - 1].end else f" {token.written}"
            for place, token in enumerate(self._tokens[begin : self.at], begin)
        ]
        return Name("".join(words)) if words else None

    def _call(self, function: str) -> Expression:
        self.at += 1
        arguments: list[Expression] = []
        while not arguments or self._key() == ",":
            self.at += bool(arguments)
            arguments += self._listed(function) or [self._deeper(self.sum)]
        most = FUNCTIONS[function][1]
        if len(arguments) > most or (function in ("min", "max") and len(arguments) == 1):
            raise ValueError(f"{function} does not take {len(arguments)} numbers.")
        return self._closed(Call(function, tuple(arguments)))

    def _listed(self, function: str) -> list[Expression]:
        """The numbers of max(3,7,12), which look like a single one."""
        key = self._key()
        if "," not in key or not key[0].isdigit():
            return []
        numbers = [of_digits(piece) for piece in key.split(",")]
        if function not in ("min", "max") or None in numbers:
            raise ValueError(f"{key} is one number or several: set blanks.")
        self.at += 1
        return [Number(Fraction(str(one))) for one in numbers]

    def _number(self) -> Expression | None:
        key = self._key()
        if _DECIMAL.fullmatch(key):
            self.at += 1
            return Number(Fraction(key))
        is_none = not key or _LEADING_ZERO.match(key) or (self._names and not key[0].isdigit())  # "one-way fare"
        found = None if is_none else number_at(self._tokens, self.at)
        if found is None:
            return None
        self.at = found[0]
        return Number(Fraction(str(found[1])))

    def _closed(self, inner: Expression) -> Expression:
        if self._key() != ")":
            raise ValueError("A bracket is not closed.")
        self.at += 1
        return inner

    def _deeper(self, read: Callable[[], Expression]) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ValueError(f"It has more than {DEEPEST} brackets in each other.")
        found = read()
        self._depth -= 1
        return found

    def _key(self) -> str:
        return self._tokens[self.at].key if self.at < len(self._tokens) else ""

    def _at_word(self) -> bool:
        """Whether a word of a name comes next."""
        is_word = self.at < len(self._tokens) and (self._tokens[self.at].is_word or self._tokens[self.at].is_cjk)
        return is_word and not any(map(self._found, ("signs", "behind")))

    def _found(self, table: str) -> tuple[int, str] | None:
        """What the longest words of a table that come next mean, and how many tokens they are."""
        for size in range(_LONGEST, 0, -1):
            key = tuple(token.key for token in self._tokens[self.at : self.at + size])
            if len(key) == size and (meaning := _SAID[table].get(key)) is not None:
                return size, meaning
        return None

    def _take(self, table: str, *meanings: str) -> str:
        """Goes past words of a table that mean one of `meanings`, and says which; "" where none come next."""
        found = self._found(table)
        if found is None or found[1] not in meanings:
            return ""
        self.at += found[0]
        return found[1]
