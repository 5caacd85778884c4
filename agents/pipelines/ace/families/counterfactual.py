"""Makes the formulas of a playbook wrong on purpose, to measure their effect."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from agents.ace import Playbook
from agents.models.simulated.reading.expression import Expression, Number, Operation
from agents.pipelines.ace.simulation.bullets import Formula, understand, write_bullet

_OPPOSITE = {"+": "-", "-": "+", "*": "/", "/": "*", "^": "*"}


def made_wrong(playbook: Playbook, ids: Iterable[str]) -> Playbook:
    """A playbook with formulas turned into false ones: the last operation becomes its opposite, the examples go."""
    for id_ in ids:
        bullet = playbook.get(id_)
        formula = understand(bullet.content) if bullet else None
        if bullet is not None and isinstance(formula, Formula):
            content = write_bullet(Formula(formula.name, _opposite(formula.expression)))
            playbook = playbook.with_bullet(bullet._replace(content=content))
    return playbook


def _opposite(expression: Expression) -> Expression:
    if isinstance(expression, Operation):
        return Operation(_OPPOSITE.get(expression.sign, "+"), expression.left, expression.right)
    return Operation("+", expression, Number(Fraction(1)))
