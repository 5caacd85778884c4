"""Which scorer fits the right answers of a data set."""

from __future__ import annotations

from agents.lab.data.data_set import DataSet
from agents.lab.scorers.numbers import DecimalSign, decimal_sign


def suggested_scorer(data: DataSet) -> dict[str, str]:
    """The scorer that fits the right answers, as `make_scorer` takes it.

    Where each of them is a number, answers are compared as numbers, so that 3.5 is 3,5; otherwise as the data set says.

    Args:
        data: The data set. It is read to its first right answer that is no number.
    """
    signs: set[DecimalSign] = set()
    for sample in data.samples("all"):
        if (sign := decimal_sign(sample.truth or "")) is None:
            return {name: str(value) for name, value in data.scorer.items()}
        signs.add(sign)
    return {"kind": "number", "decimal": ","} if "," in signs and "." not in signs else {"kind": "number"}
