"""What a session was at any entry of its log, and the turns that its events make up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.history.cursor import Moment as Moment
    from agents.history.cursor import Timeline as Timeline
    from agents.history.cursor import at as at
    from agents.history.turns import Place as Place
    from agents.history.turns import Step as Step
    from agents.history.turns import Turn as Turn
    from agents.history.turns import Usage as Usage

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
