"""Reads an OpenAPI 3 description: its operations, with schemas in which references are resolved.

A description is hostile text. References to other documents are refused, circles are cut, and schemas have a greatest size.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from keyword import iskeyword
from typing import Any, cast

from agents.errors import ToolError

MOST_OPERATIONS = 500
MOST_SCHEMAS = 2_000
"""Schemas in one operation; those after them are left open."""
MOST_PARAMETERS = 200
"""Parameters in one operation, and as many of its path; those after them are left out."""
MOST_DEPTH = 12
LONGEST_NAME = 60
LONGEST_REFERENCE = 1_000
LONGEST_DESCRIPTION = 2_000

METHODS = ("get", "post", "put", "delete", "patch", "head", "options", "trace")
_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_KEPT = ("format", "enum", "default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
_WORD = re.compile(r"[^a-zA-Z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a tool.

    Attributes:
        name: As the model gives it.
        original: As the server takes it; "" for the whole body.
        place: "path", "query", "header", "cookie" or "body".
        schema: JSON schema.
        required: Whether it must be given.
    """

    name: str
    original: str
    place: str
    schema: Data
    required: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of an API.

    Attributes:
        name: The tool's.
        description: What it does.
        method: In lower case.
        url: The server's address with the path, in which parameters stand in braces.
        parameters: Its arguments.
        media_type: Of the body; "" for none.
        security: The security scheme that it needs, if one is described.
    """

    name: str
    description: str
    method: str
    url: str
    parameters: tuple[Parameter, ...]
    media_type: str
    security: Data | None


def operations_in(spec: Mapping[str, Any], *, keep_names: bool = False) -> list[Operation]:
    """The operations of an API.

    Args:
        spec: The description.
        keep_names: Whether arguments are called as the server calls them, not in snake_case.

    Raises:
        ToolError: It is no OpenAPI 3 description, refers to another document, leaves the server open, or has too many
            operations.
    """
    if not str(spec.get("openapi", "")).startswith("3."):
        raise ToolError("This is no OpenAPI 3 description: it needs `openapi: 3.0.0` or later, `servers` and `paths`.")
    found: list[Operation] = []
    names: set[str] = set()
    for path, item in _mapping(spec.get("paths")).items():
        shared = _resolved(spec, item)
        for method in METHODS:
            if isinstance(shared.get(method), dict):
                if not str(path).startswith("/"):
                    raise ToolError(
                        f"The path {str(path)[:200]!r} must begin with a slash: so it would name another server."
                    )
                found.append(_operation(spec, path, method, shared, names, keep_names=keep_names))
                if len(found) > MOST_OPERATIONS:
                    raise ToolError(f"The description has more than {MOST_OPERATIONS} operations. Give one with fewer.")
    return found


def _operation(
    spec: Mapping[str, Any], path: str, method: str, shared: Data, taken: set[str], *, keep_names: bool
) -> Operation:
    given = _mapping(shared[method])
    schemas = _Schemas(spec)
    listed: dict[tuple[str, str], Data] = {}
    for above in (given, shared):  # an operation's own parameters go before those of its path
        for one in _list(above.get("parameters"))[:MOST_PARAMETERS]:
            parameter = _resolved(spec, one)
            if isinstance(name := parameter.get("name"), str):
                listed.setdefault((name, str(parameter.get("in"))), parameter)
    raw = [(name, place, *_schema_of(one, schemas)) for (name, place), one in listed.items()]
    media_type, body = _body(spec, given, schemas)
    names: set[str] = set()
    parameters = tuple(
        Parameter(
            _free(_argument(original, schema, keep_name=keep_names), names),
            original,
            place,
            schema,
            required,
        )
        for original, place, schema, required in (*raw, *body)
    )
    text = str(given.get("description") or given.get("summary") or "")
    name = snake_case(str(given.get("operationId") or "")) or snake_case(f"{path}_{method}")
    return Operation(
        name=_free(name[:LONGEST_NAME], taken),
        description=text[:LONGEST_DESCRIPTION],
        method=method,
        url=_server(spec) + path,
        parameters=parameters,
        media_type=media_type,
        security=_security(spec, given),
    )


def _schema_of(parameter: Data, schemas: _Schemas) -> tuple[Data, bool]:
    content = next(iter(_mapping(parameter.get("content")).values()), None)
    schema = schemas.read(parameter.get("schema") or _mapping(content).get("schema"))
    if isinstance(text := parameter.get("description"), str):
        schema.setdefault("description", text[:LONGEST_DESCRIPTION])
    return schema, parameter.get("in") == "path" or parameter.get("required") is True


def _body(spec: Mapping[str, Any], given: Data, schemas: _Schemas) -> tuple[str, list[tuple[str, str, Data, bool]]]:
    """The media type of the body, and its fields as arguments: (name, "body", schema, whether it must be given)."""
    body = _resolved(spec, given.get("requestBody"))
    for media_type, content in _mapping(body.get("content")).items():
        schema = schemas.read(_mapping(content).get("schema"))
        if schema.get("type") != "object" or not schema.get("properties"):
            return media_type, [("", "body", schema, body.get("required") is True)]
        needed = _list(schema.get("required"))
        return media_type, [(name, "body", one, name in needed) for name, one in schema["properties"].items()]
    return "", []


def _security(spec: Mapping[str, Any], given: Data) -> Data | None:
    needed = _list(given["security"] if "security" in given else spec.get("security"))
    if not needed or not all(needed):  # an empty requirement says that none is needed
        return None
    schemes = _mapping(_mapping(spec.get("components")).get("securitySchemes"))
    return _resolved(spec, schemes.get(next(iter(_mapping(needed[0])), ""))) or None


def _server(spec: Mapping[str, Any]) -> str:
    server = _mapping(next(iter(_list(spec.get("servers"))), None))
    url = str(server.get("url", ""))
    for name, variable in _mapping(server.get("variables")).items():
        url = url.replace(f"{{{name}}}", str(_mapping(variable).get("default", "")))
    if "{" in url.partition("://")[2].partition("/")[0]:
        raise ToolError(f"The server {url[:200]!r} is not named: give each variable in its address a default.")
    return url.rstrip("/")


class _Schemas:
    """Reads the schemas of one operation, as many as one may have."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self._spec = spec
        self._left = MOST_SCHEMAS

    def read(self, given: Any, above: tuple[str, ...] = (), depth: int = 0) -> Data:
        """A schema with the keywords that models are told; {} for one in a circle, or too deep."""
        if not self._left:
            return {}
        self._left -= 1
        if depth > MOST_DEPTH or not isinstance(given, dict):
            return {}
        schema = cast("Data", given)
        if isinstance(ref := schema.get("$ref"), str):
            return {} if ref in above else self.read(_target(self._spec, ref), (*above, ref), depth + 1)
        found: Data = {name: schema[name] for name in _KEPT if name in schema}
        given_types = _list(schema.get("type"))[: len(_TYPES)] or [schema.get("type")]
        kinds = [kind for one in given_types if (kind := str(one).lower()) in _TYPES]
        if kinds:
            found["type"] = kinds[0] if len(kinds) == 1 else kinds
        if isinstance(text := schema.get("description"), str):
            found["description"] = text[:LONGEST_DESCRIPTION]
        if isinstance(schema.get("items"), dict):
            found["items"] = self.read(schema["items"], above, depth + 1)
        if properties := _mapping(schema.get("properties")):
            found.setdefault("type", "object")
            read = {name: self.read(one, above, depth + 1) for name, one in islice(properties.items(), self._left)}
            found["properties"] = read
            found["required"] = [
                one for one in _list(schema.get("required"))[: len(read)] if isinstance(one, str) and one in read
            ]
        if choices := _list(schema.get("anyOf")) or _list(schema.get("oneOf")):
            found["anyOf"] = [self.read(one, above, depth + 1) for one in choices[: self._left]]
        for part in _list(schema.get("allOf"))[: self._left]:
            _merge(found, self.read(part, above, depth + 1))
        return found


def _merge(schema: Data, part: Data) -> None:
    for name, value in part.items():
        if name == "properties":
            schema[name] = {**schema.get(name, {}), **value}
        elif name == "required":
            schema[name] = [*schema.get(name, []), *value]
        else:
            schema.setdefault(name, value)


def _resolved(spec: Mapping[str, Any], given: Any) -> Data:
    """A mapping, or the one that a reference in its place leads to."""
    for _ in range(MOST_DEPTH):
        if not isinstance(given, dict):
            return {}
        ref: Any = cast("Data", given).get("$ref")
        if not isinstance(ref, str):
            return cast("Data", given)
        given = _target(spec, ref)
    return {}


def _target(spec: Mapping[str, Any], ref: str) -> Any:
    if not ref.startswith("#"):
        raise ToolError(
            f"The description refers to another document, {ref[:200]!r}. Only references like `#/components/…` are read."
        )
    if len(ref) > LONGEST_REFERENCE:
        raise ToolError(
            f"The description has a reference of {len(ref):,} characters; at most {LONGEST_REFERENCE:,} are read."
        )
    place: Any = spec
    for step in filter(None, ref[1:].split("/")):
        place = _mapping(place).get(step.replace("~1", "/").replace("~0", "~"))
    return place


def _argument(original: str, schema: Data, *, keep_name: bool) -> str:
    original = original or ("array" if schema.get("type") == "array" else "body")
    name = original if keep_name else snake_case(original) or "value"
    return f"param_{name}" if iskeyword(name) else name


def _free(base: str, taken: set[str]) -> str:
    name, number = base, 0
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    taken.add(name)
    return name


def snake_case(text: str) -> str:
    """A name in small letters, its words joined by underscores."""
    return _HUMP.sub("_", _WORD.sub("_", text)).strip("_").lower()


def _mapping(value: Any) -> Data:
    return cast("Data", value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
