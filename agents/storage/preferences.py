"""The user's preferences for all sessions: models, servers, prices, speed. Keys are never stored.

A plain value, the contract of the stores that keep it, and the one that keeps it in memory.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from agents.models.pricing import list_prices
from agents.models.provider import Price
from agents.models.providers import endpoints
from agents.models.simulated.spec import SIMULATED


def _has_server(provider: str) -> str:
    """A provider's name, if it is asked over a network."""
    if provider not in endpoints():
        raise ValueError(f"{provider!r} is no provider that has a server. There are: {', '.join(endpoints())}.")
    return provider


_ServerProvider = Annotated[str, AfterValidator(_has_server)]


class Preferences(BaseModel):
    """The user's preferences.

    Attributes:
        model: The model for runs that name none.
        models: Names that are offered besides the built-in ones.
        agent_models: Agents that have a model of their own: pipeline → agent → model.
        base_urls: Servers in place of the environment's or the default ones.
        prices: Prices that the user set, by model; they override the list prices.
        simulated_speed: Words a second that simulated and replayed models speak; 0 = at once; None = as
            `PLAYGROUND_SIMULATED_SPEED` says.
        answer_seconds: Seconds after which the usual model answers a call that waits for the user as its model; None to wait
            for ever.
        stops_with_client: Whether a run that another program began stops when that program leaves before its end.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)  # preferences of a later version are left alone

    model: str = Field(default=SIMULATED, min_length=1, max_length=300)
    models: tuple[str, ...] = ()
    agent_models: Mapping[str, Mapping[str, str]] = Field(default_factory=dict[str, Mapping[str, str]])
    base_urls: Mapping[_ServerProvider, str] = Field(default_factory=dict[str, str])
    prices: Mapping[str, Price] = Field(default_factory=dict[str, Price])
    simulated_speed: float | None = Field(default=None, ge=0, le=10_000, allow_inf_nan=False)
    answer_seconds: float | None = Field(default=None, gt=0, le=31_536_000, allow_inf_nan=False)
    stops_with_client: bool = False

    @property
    def price_table(self) -> dict[str, Price]:
        """The prices in effect."""
        return {**list_prices(), **self.prices}


class PreferenceStore(ABC):
    """Keeps the preferences. For any thread."""

    @abstractmethod
    def read(self) -> Preferences:
        """The preferences. A stored value that cannot be read, e.g. of a later version, is left alone; its default is used.

        Raises:
            DatabaseError: They cannot be read.
        """

    @abstractmethod
    def change(self, changes: Mapping[str, Any]) -> Preferences:
        """Sets some preferences, all of them or none; concurrent changes of others stay.

        Args:
            changes: Values by the names of the fields.

        Raises:
            ValidationError: A value is not valid for its preference.
            DatabaseError: They cannot be stored.
        """

    def close(self) -> None:
        """Closes the file, if there is one."""
        return


class InMemoryPreferenceStore(PreferenceStore):
    """Keeps the preferences in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._preferences = Preferences()

    def read(self) -> Preferences:
        return self._preferences

    def change(self, changes: Mapping[str, Any]) -> Preferences:
        with self._lock:
            self._preferences = Preferences.model_validate({**self._preferences.model_dump(), **changes})
            return self._preferences
