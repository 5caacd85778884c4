"""The spec of a model provider: its names, its servers, and its texts for users.

Each provider's package has one, `PROVIDER` in its `spec.py`, which is cheap to import. `agents.models.providers` lists them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field


class Price(BaseModel):
    """A model's price.

    Attributes:
        input: US dollars for a million tokens that are sent.
        output: US dollars for a million tokens that come back, thoughts among them.
        cached: US dollars for a million tokens sent that the provider had cached; None for the price of any other.
        grounded_prompts: US dollars for a thousand calls that searched with Google, however often; None if there is no such
            fee, or it is unknown.
        search_queries: US dollars for a thousand Google searches; likewise. With neither fee, what searches cost is unknown.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0, le=100_000, allow_inf_nan=False)
    output: float = Field(ge=0, le=100_000, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, le=100_000, allow_inf_nan=False)
    grounded_prompts: float | None = Field(default=None, ge=0, le=100_000, allow_inf_nan=False)
    search_queries: float | None = Field(default=None, ge=0, le=100_000, allow_inf_nan=False)


class Lack(NamedTuple):
    """Something that a model lacks.

    Attributes:
        words: What is missing, e.g. "no file".
        cure: What to do, in Markdown; the rest of a sentence that begins with the model, unless `of_key`.
        of_key: Whether it is a key: `cure` is then about the provider, in whole sentences.
    """

    words: str
    cure: str
    of_key: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Models that answer over a network, and their server's settings.

    Attributes:
        url: The server that is asked unless another one is set.
        url_variable: Environment variable of another server.
        read_url: From that variable's value to a URL; the value is the URL by default.
        url_label: Label of the field for another server.
        key_variables: Environment variables of the key, the first that is set counts; empty for servers without keys.
        key_label: Label of the field for the key.
        needs_key: Whether the server needs a key. Such a server is asked only on a user's request. Others are the user's
            own and are asked for their models wherever models are listed.
        key_source: Where users get a key, e.g. "example.com".
        key_note: A sentence on keys for those who have none.
    """

    url: str
    url_variable: str
    read_url: Callable[[str], str] = str
    url_label: str = "Base URL"
    key_variables: tuple[str, ...] = ()
    key_label: str = "Key, if the server wants one"
    needs_key: bool = False
    key_source: str = ""
    key_note: str = ""

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables of the key and of the server, which belong together."""
        return (*self.key_variables, self.url_variable)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFiles:
    """Models that are files on this machine.

    Attributes:
        found: The files that are there: a model's name → bytes.
        lack: What a model, by name, lacks; None if nothing is missing.
    """

    found: Callable[[], Mapping[str, int]]
    lack: Callable[[str], Lack | None]


Access = Endpoint | ModelFiles | Literal["simulation", "recordings", "person"]
"""How models answer: over a network, from files, by a pipeline's simulation, from recorded sessions, or by the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider of models.

    Attributes:
        name: Its name in code and storage, e.g. in preferences.
        label: Its name for users.
        about: A sentence for its card on the Settings page.
        models_about: A sentence on its models where they are listed; "" for one made of the label.
        access: How its models answer.
        llm_class: "module:Class" of its model, imported when first used; "" where a name alone does not make a model.
        prefix: What begins the names of its models, slash included; "" where they have nothing in common.
        patterns: Regular expressions of names without the prefix; the whole of a name must match.
        models: Names that the picker always offers.
        name_hint: Placeholder of the field for one more name.
        name_rule: A sentence on names, for a name that cannot be one of its models.
        free: Names, as logs have them, of models that cost nothing unless the user says otherwise; `*` at an end stands
            for anything.
        prices: List prices by name, for all names that one begins.
        price_source: Where the list prices are from, and as of when.
        context_windows: Tokens that a model reads at most, by name; a version of a name has the same.
        mime_types: Types of the files that its models take in a message, besides texts.
        files_about: A sentence on them.
        telemetry_name: Its name in OpenTelemetry's GenAI conventions; "" where they have none, for `name`.
    """

    name: str
    label: str
    about: str
    access: Access
    models_about: str = ""
    llm_class: str = ""
    prefix: str = ""
    patterns: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    name_hint: str = "Choose, or type a name"
    name_rule: str = ""
    free: tuple[str, ...] = ()
    prices: Mapping[str, Price] = field(default_factory=dict[str, Price])
    price_source: str = ""
    context_windows: Mapping[str, int] = field(default_factory=dict[str, int])
    telemetry_name: str = ""
    mime_types: tuple[str, ...] = ()
    files_about: str = ""

    @property
    def endpoint(self) -> Endpoint | None:
        """Its server; None where no network is used."""
        return self.access if isinstance(self.access, Endpoint) else None

    @property
    def offered(self) -> list[str]:
        """Names that can be picked without asking a server: built-in ones, then files."""
        files = self.access.found() if isinstance(self.access, ModelFiles) else ()
        return [*self.models, *files]

    @property
    def prefix_patterns(self) -> tuple[str, ...]:
        """The regular expression of names with the prefix, if there is one."""
        return (f"{re.escape(self.prefix)}.+",) if self.prefix else ()

    @property
    def name_patterns(self) -> list[str]:
        """The regular expressions of all names, for `BaseLlm.supported_models`."""
        return [*self.patterns, *self.prefix_patterns]

    @property
    def any_name(self) -> str:
        """Some name of a model, which need not exist: it finds the class that answers for the provider."""
        return f"{self.prefix}any" if self.prefix else self.models[0]
