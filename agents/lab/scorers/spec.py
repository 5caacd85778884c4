"""Scorers by specification: what a run's configuration says of its scorer, and the scorer that it makes."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, assert_never

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from agents.errors import ScorerError
from agents.lab.sample import Sample
from agents.lab.scorer import Score, Scorer
from agents.lab.scorers.built_in import Expected, Families, Rubric
from agents.lab.scorers.judge import Judge
from agents.lab.scorers.numbers import DecimalSign
from agents.lab.scorers.texts import EntityList, Exact, Folded, Numeric, Pattern, as_score
from agents.model import BaseLlm
from agents.models.registry import LLMRegistry

_Kind = Literal["exact", "folded", "list", "families", "rubric", "expected"]
_PLAIN: dict[_Kind, Callable[[], Scorer]] = {
    "exact": Exact,
    "folded": Folded,
    "list": EntityList,
    "families": Families,
    "rubric": Rubric,
    "expected": Expected,
}
Result = Score | bool | float


class _Spec(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _Plain(_Spec):
    kind: _Kind


class _Number(_Spec):
    kind: Literal["number"]
    tolerance: Decimal = Field(default=Decimal(0), ge=0)
    relative: Decimal = Field(default=Decimal(0), ge=0)
    decimal: DecimalSign = ""


class _Pattern(_Spec):
    kind: Literal["pattern"]
    pattern: str = ""


class _Judge(_Spec):
    kind: Literal["judge"]
    rubric: str = ""
    model: str = ""


class _Function(_Spec):
    kind: Literal["function"]
    function: Callable[..., Any]


_SPEC: TypeAdapter[_Plain | _Number | _Pattern | _Judge | _Function] = TypeAdapter(
    Annotated[_Plain | _Number | _Pattern | _Judge | _Function, Field(discriminator="kind")]
)


def make_scorer(spec: Mapping[str, Any], *, model: BaseLlm | None = None) -> Scorer:
    """Makes a scorer.

    Examples of specifications::

        (
            {"kind": "exact"},
            {"kind": "folded"},
            {"kind": "list"},
            {"kind": "families"},
            {"kind": "rubric"},
        )
        {"kind": "expected"}
        {"kind": "number", "tolerance": 0.01}, {"kind": "number", "relative": 0.001}, {"kind": "number", "decimal": ","}
        {"kind": "pattern"}, {"kind": "pattern", "pattern": "*42*"}
        {"kind": "judge", "rubric": "It names a first step.", "model": "gemini-flash-latest"}
        {"kind": "function", "function": my_function}

    Args:
        spec: The specification.
        model: The judge's model where the specification names none.

    Raises:
        ScorerError: The specification is wrong.
        ModelNotFoundError: There is no model of that name.
    """
    try:
        given = _SPEC.validate_python(dict(spec))
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}".lstrip(": ") for one in error.errors())
        raise ScorerError(f"This is no specification of a scorer. {problems}.") from None
    match given:
        case _Plain():
            return _PLAIN[given.kind]()
        case _Number():
            return Numeric(given.tolerance, given.relative, given.decimal)
        case _Pattern():
            return Pattern(given.pattern)
        case _Judge():
            return Judge(_judge_model(given.model, model), given.rubric)
        case _Function():
            return FunctionScorer(given.function)
        case _:
            assert_never(given)


def _judge_model(name: str, model: BaseLlm | None) -> BaseLlm:
    judge = LLMRegistry.new_llm(name) if name else model
    if judge is None:
        raise ScorerError('A judge needs a model: name one, e.g. model = "gemini-flash-latest".')
    if judge.simulated:
        raise ScorerError("The simulated model has no opinion, so it cannot judge. Name a real model.")
    return judge


@dataclass(frozen=True, slots=True)
class FunctionScorer:
    """Calls a function with the answer and the sample.

    Attributes:
        function: Gives a `Score`, whether the answer is right, or a number from 0 to 1, where 1 is right. It may be async.
    """

    function: Callable[[str, Sample], Result | Awaitable[Result]]

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer. What the function raises is passed on."""
        found: Any = self.function(answer, sample)
        if inspect.isawaitable(found):
            found = await found
        if isinstance(found, Score):
            return found
        if isinstance(found, bool):
            return as_score(is_right=found)
        if isinstance(found, int | float) and 0 <= found <= 1:
            return Score(value=float(found), is_right=found == 1, right=int(found == 1))
        name = getattr(self.function, "__name__", "the scorer")
        raise ScorerError(f"{name} gave {found!r} for {sample.id}. It has to give a Score, a bool, or a number from 0 to 1.")
