"""The model contract: what an agent sends (`LlmRequest`), what it gets (`LlmResponse`), who answers (`BaseLlm`).

Names and arguments are those of ADK for Python.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, Literal, Protocol, Self, TypeVar, cast, runtime_checkable

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, SkipValidation

Model = TypeVar("Model", bound=BaseModel)

StopReason = Literal["tool_use", "end_turn", "max_tokens", "safety", "error"]
"""Why a model stopped: a tool call, the end of its answer, a length or safety limit, or a failure."""

FaultKind = Literal["fail_before", "fail_after", "delay", "malformed_json", "unknown_tool", "refuse"]
"""What an injected fault does, see `agents.runtime.fault`."""


JSON_IN_WORDS = "When you need no more tools, answer with JSON only, fitting this JSON schema:\n"
"""What asks for JSON in the instruction of a request whose `json_in_words` is set; the schema follows it."""


class InjectedFault(Protocol):
    """The part of a fault that a model call uses; as a string, the fault as the user wrote it."""

    @property
    def kind(self) -> FaultKind:
        """What goes wrong."""
        ...

    @property
    def target(self) -> str:
        """The name of an agent or a model, or "*"."""
        ...

    @property
    def seconds(self) -> float:
        """For "delay": how long the model is silent."""
        ...

    @property
    def hidden(self) -> bool:
        """Whether the log says nothing of it."""
        ...


@runtime_checkable  # pydantic makes fields of runtime-checkable protocols only
class CallObserver(Protocol):
    """Observes a model call: takes its trace records and supplies its injected fault."""

    def note(self, kind: str, **data: Any) -> None:
        """Puts a trace record of this call into the log."""
        ...

    def limit_answer(self, limits: Mapping[str, int]) -> None:
        """Takes limits of the answer that no schema has: most "characters" of a text, most "items" of a list."""
        ...

    def fault_for(self, model: str) -> InjectedFault | None:
        """The fault that this call of `model` is to have, if any; asked once for each call."""
        ...

    def ask_person(self, request: LlmRequest, *, seconds: float | None = None) -> Mapping[str, Any]:
        """The user's answer to the request, see `agents.models.you`.

        Args:
            request: What the model was sent.
            seconds: After how long the usual model answers; None to wait for ever.

        Raises:
            PersonAsked: There is none yet: the run pauses, and makes the call again when it resumes.
        """
        ...

    @property
    def run_model(self) -> BaseLlm | None:
        """The model that was chosen for the run, if one was."""
        ...


@runtime_checkable  # see above
class FilledText(Protocol):
    """An instruction, and where values stand in it: from a character to before another, with the value's name."""

    @property
    def text(self) -> str:
        """The instruction."""
        ...

    @property
    def values(self) -> tuple[tuple[int, int, str], ...]:
        """The places of the values."""
        ...


class DeclaredTool(Protocol):
    """The part of a tool that a request uses."""

    name: str

    def _get_declaration(self) -> types.FunctionDeclaration | None: ...


class LlmRequest(BaseModel):  # noqa: PLW1641  it can be changed, so it has no hash
    """One call of a model.

    Attributes:
        model: The model's name at its provider.
        contents: The conversation, oldest first. Shared with the session's events: a model must not change it.
        config: Generation settings, system instruction and tool declarations.
        tools_dict: The tools that the model may call, by name.
        json_in_words: Whether the instruction asks for JSON that fits a schema, and `config` does not: not every model takes
            a schema beside tools.
        client_schema: The JSON schema that a client asks the answer to fit, in whatever way it is asked; see `ClientPlugin`.
        filled: The instruction as it was filled, for the record; a callback may have changed it since.
        observer: Observes the call; None outside of a run. A model that wraps others passes it on.
    """

    model_config = ConfigDict(
        ser_json_bytes="base64", val_json_bytes="base64", protected_namespaces=(), arbitrary_types_allowed=True
    )

    model: str | None = None
    contents: list[types.Content] = Field(default_factory=list[types.Content])
    config: types.GenerateContentConfig = Field(default_factory=types.GenerateContentConfig)
    tools_dict: dict[str, Any] = Field(default_factory=dict[str, Any], exclude=True)
    json_in_words: bool = Field(default=False, exclude=True, repr=False)
    client_schema: SkipValidation[Mapping[str, Any] | None] = Field(default=None, exclude=True, repr=False)
    filled: SkipValidation[FilledText | None] = Field(default=None, exclude=True, repr=False)
    observer: SkipValidation[CallObserver | None] = Field(default=None, exclude=True, repr=False)

    def __eq__(self, other: object) -> bool:
        """Whether both send the same; observers, and where an instruction comes from, are not compared."""
        if not isinstance(other, LlmRequest):
            return NotImplemented
        apart: dict[str, Any] = {"filled": None, "observer": None}
        return {**vars(self), **apart} == {**vars(other), **apart}

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """A copy with contents and settings of its own; its tools and its observer are the same objects."""
        sent = {"contents": deepcopy(self.contents, memo), "config": deepcopy(self.config, memo)}
        return self.model_copy(update={**sent, "tools_dict": dict(self.tools_dict)})

    @property
    def system_instruction(self) -> str:
        """The system instruction as text, "" where there is none."""
        given: Any = self.config.system_instruction  # a callback may have made it a content, or a list
        if given is None or isinstance(given, str):
            return given or ""
        texts: list[str | None] = []
        for item in cast("list[Any]", given if isinstance(given, list) else [given]):
            parts = item.parts or [] if isinstance(item, types.Content) else [item]
            texts.extend(part if isinstance(part, str) else getattr(part, "text", None) for part in parts)
        return "\n\n".join(text for text in texts if text)

    def append_instructions(self, instructions: Sequence[str]) -> None:
        """Adds paragraphs to the system instruction, separated by blank lines."""
        parts = [text for text in (self.system_instruction, *instructions) if text]
        if parts:
            self.config.system_instruction = "\n\n".join(parts)

    def append_tools(self, tools: Sequence[DeclaredTool]) -> None:
        """Declares tools to the model, as one `types.Tool` in `config.tools`."""
        declarations: list[types.FunctionDeclaration] = []
        for tool in tools:
            declaration = tool._get_declaration()  # pyright: ignore[reportPrivateUsage]  ADK's name for it
            if declaration is not None:
                declarations.append(declaration)
                self.tools_dict[tool.name] = tool
        if not declarations:
            return
        listed: list[Any] = list(cast("Any", self.config).tools or [])
        for held in listed:
            if isinstance(held, types.Tool) and held.function_declarations:
                held.function_declarations = [*held.function_declarations, *declarations]
                return
        self._list_tools([*listed, unchecked(types.Tool, function_declarations=declarations)])

    def append_built_in(self, tool: types.Tool) -> None:
        """Asks for a tool that the model's provider runs itself."""
        self._list_tools([*(cast("Any", self.config).tools or ()), tool])

    @property
    def built_in_tools(self) -> list[str]:
        """Names of the tools that are asked for and that the model's provider runs itself, such as "google_search"."""
        listed: list[Any] = cast("Any", self.config).tools or []
        return [
            name
            for tool in listed
            if isinstance(tool, types.Tool)
            for name in sorted(tool.model_fields_set - {"function_declarations"})
            if getattr(tool, name) is not None
        ]

    def _list_tools(self, tools: list[Any]) -> None:
        # An assignment would check every setting again.
        config = self.config
        vars(config)["tools"] = tools
        config.__pydantic_fields_set__.add("tools")


class LlmResponse(BaseModel):
    """One answer of a model, or a piece of one while it streams.

    Attributes:
        content: What the model said: text, thoughts, function calls.
        partial: True for a streamed piece; the whole follows in a last response that is not partial.
        stop_reason: Why the model stopped; every provider is normalised to these five.
        finish_reason: The provider's own reason, where it gives one.
        error_code: Set when the answer is an error, with `error_message`.
        usage_metadata: Tokens, as google-genai names them.
        grounding_metadata: The provider's searches and the sources they found.
        citation_metadata: Quoted sources in the answer.
        url_context_metadata: Pages that the provider read.
        model_version: Which model answered.
    """

    model_config = ConfigDict(
        extra="forbid",
        ser_json_bytes="base64",
        val_json_bytes="base64",
        protected_namespaces=(),
        arbitrary_types_allowed=True,
    )

    content: types.Content | None = None
    partial: bool | None = None
    turn_complete: bool | None = None
    stop_reason: StopReason | None = None
    finish_reason: types.FinishReason | None = None
    error_code: str | None = None
    error_message: str | None = None
    interrupted: bool | None = None
    custom_metadata: dict[str, Any] | None = None
    usage_metadata: types.GenerateContentResponseUsageMetadata | None = None
    grounding_metadata: types.GroundingMetadata | None = None
    citation_metadata: types.CitationMetadata | None = None
    url_context_metadata: types.UrlContextMetadata | None = None
    model_version: str | None = None

    @property
    def parts(self) -> list[types.Part]:
        """The parts of the content, [] where there is none."""
        return (self.content.parts or []) if self.content is not None else []

    @property
    def text(self) -> str:
        """All text that is not a thought, joined."""
        return "".join([text for part in self.parts if (text := part.text) and not part.thought])

    def get_function_calls(self) -> list[types.FunctionCall]:
        """The function calls in this response, in order."""
        return [part.function_call for part in self.parts if part.function_call]

    def get_function_responses(self) -> list[types.FunctionResponse]:
        """The function responses in this response, in order."""
        return [part.function_response for part in self.parts if part.function_response]


class BaseLlm(BaseModel):
    """A model that agents can call. Subclass it, give `supported_models`, and register it with `LLMRegistry`.

    Attributes:
        model: The model's name.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, protected_namespaces=())

    model: str

    @classmethod
    def supported_models(cls) -> list[str]:
        """Regular expressions; the whole of a model name must match one of them."""
        return []

    @classmethod
    async def list_models(cls) -> list[str]:
        """Names of the provider's current models, as the registry takes them.

        Raises:
            ProviderError: It cannot be asked.
        """
        return []

    @property
    def simulated(self) -> bool:
        """Whether answers are computed by a simulation and must be labelled so."""
        return False

    def lacking(self, llm_request: LlmRequest) -> list[str]:
        """The request's `built_in_tools` that this model lacks. Models with "gemini" in their name have all."""
        is_gemini = self.model.rpartition("/")[2].startswith("gemini-")
        return [] if is_gemini else llm_request.built_in_tools

    @property
    def pairs_calls_by_id(self) -> bool:
        """Whether the provider needs an id on every call and response; if not, generated ids are left out."""
        return False

    @abstractmethod
    def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        """Answers a request.

        Args:
            llm_request: What to answer; not to be changed.
            stream: Whether to yield pieces (`partial=True`) before the whole.

        Yields:
            Pieces if `stream`, then exactly one whole response with a `stop_reason`.

        Raises:
            ProviderError: The provider failed or refused.
        """
        raise NotImplementedError


def copy_with(model: Model, /, **values: Any) -> Model:
    """A shallow copy of `model` with `values` in place of its own; they are not checked.

    With `model_copy(update=…)` here, which also copies private attributes, and the checks that `unchecked` leaves out, an
    event of the benchmark's tool round trip takes 15 % longer.

    Args:
        model: The original; not changed. It may have neither extra fields nor private attributes.
        values: Fields by name.
    """
    made = object.__new__(type(model))
    _SET_FIELDS(made, model.__dict__ | values)
    _SET_GIVEN(made, {*model.__pydantic_fields_set__, *values})
    _SET_EXTRA(made, None)
    _SET_PRIVATE(made, None)
    return made


_SET_FIELDS, _SET_GIVEN, _SET_EXTRA, _SET_PRIVATE = (
    BaseModel.__dict__[slot].__set__
    for slot in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)
"""Fill in what every model consists of."""


def unchecked(kind: type[Model], /, **values: Any) -> Model:
    """`kind(**values)` of values that are known to be right; a long history has thousands. See `copy_with`.

    Defaults that can be changed, such as lists, are shared by all that are made: give those fields values of their own.
    """
    return copy_with(_without_values(kind), **values)


@cache
def _without_values(kind: type[Model]) -> Model:
    return kind()
