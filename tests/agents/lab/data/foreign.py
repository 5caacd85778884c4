"""Rows in the form of the official ACE repository, drawn here: `python -m tests.agents.lab.data.foreign FILE`.

The official files are not part of this project. These rows have their form, `{"context": …, "target": …}`, and are of two
kinds, too: a question that prints its formula, and a sentence whose numbers want a tag each. The formulas have powers and
roots, which the simulated learner never writes, and the tags follow from nothing that it reads.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

ROWS, SEED = 500, 1

_FORMULAS = (
    ("annual growth rate", "(end / start) ** (1 / years) - 1", ("end", "start", "years")),
    ("order quantity", "(2 * demand * fee / holding) ** (1 / 2)", ("demand", "fee", "holding")),
    ("future value", "principal * (1 + rate / 100) ** years", ("principal", "rate", "years")),
    ("geometric mean return", "(first * second * third) ** (1 / 3)", ("first", "second", "third")),
)
_TAGS = (
    "LineOfCreditFacilityMaximum",
    "DebtInstrumentFaceAmount",
    "OperatingLeaseExpense",
    "ShareBasedCompensation",
    "Goodwill",
)
_SENTENCE = "The facility provides for borrowings of {} million, of which {} million were drawn and {} million were repaid."
_ASKED = "Which tags belong to the numbers, in their order? Answer with the tags alone, separated by commas."


def rows(count: int = ROWS, seed: int = SEED) -> Iterator[dict[str, str]]:
    """The rows, three questions with a formula to each sentence with tags."""
    chance = random.Random(seed)
    for place in range(count):
        yield _tagged(chance, place) if place % 4 == 3 else _calculated(chance, place)


def _calculated(chance: random.Random, place: int) -> dict[str, str]:
    name, formula, quantities = chance.choice(_FORMULAS)
    values = {quantity: chance.randint(2, 9_999) for quantity in quantities}
    values |= {"years": chance.randint(2, 9)} if "years" in values else {}
    given = ", ".join(f"{quantity} = {value}" for quantity, value in values.items())
    context = f"Case {place}. Use the formula {name} = {formula}. What is the {name} if {given}? Round to two decimals."
    return {"context": context, "target": f"{_result(name, values):.2f}"}


def _result(name: str, of: dict[str, int]) -> float:
    match name:
        case "annual growth rate":
            return (of["end"] / of["start"]) ** (1 / of["years"]) - 1
        case "order quantity":
            return (2 * of["demand"] * of["fee"] / of["holding"]) ** 0.5
        case "future value":
            return of["principal"] * (1 + of["rate"] / 100) ** of["years"]
        case _:
            return (of["first"] * of["second"] * of["third"]) ** (1 / 3)


def _tagged(chance: random.Random, place: int) -> dict[str, str]:
    sentence = _SENTENCE.format(*(chance.randint(1, 999) for _ in range(3)))
    return {"context": f"Filing {place}. {sentence} {_ASKED}", "target": ",".join(chance.sample(_TAGS, 3))}


def write(path: Path, count: int = ROWS, seed: int = SEED) -> None:
    """Writes the rows into a file."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows(count, seed)), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
