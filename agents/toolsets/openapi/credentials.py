"""Keys for APIs: which, and where in a request they stand. Names are ADK's."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, NamedTuple, cast

from pydantic import BaseModel

from agents import config
from agents.errors import ToolError


class AuthCredentialTypes(StrEnum):
    """Kinds of keys."""

    API_KEY = "apiKey"
    HTTP = "http"


class HttpCredentials(BaseModel):
    """A token, or a user with a password."""

    username: str | None = None
    password: str | None = None
    token: str | None = None


class HttpAuth(BaseModel):
    """What HTTP's header `Authorization` says."""

    scheme: str = "bearer"
    credentials: HttpCredentials


class AuthCredential(BaseModel):
    """A key for an API."""

    auth_type: AuthCredentialTypes
    api_key: str | None = None
    http: HttpAuth | None = None


class Key(NamedTuple):
    """A key in a request.

    Attributes:
        place: "header", "query" or "cookie".
        name: Its name there.
        secret: The key.
        kind: A word that stands before it, such as "Bearer"; "" for none.
    """

    place: str
    name: str
    secret: str
    kind: str = ""


def token_to_scheme_credential(
    token_type: Literal["apikey", "oauth2Token"],
    location: Literal["header", "query", "cookie"] | None = None,
    name: str | None = None,
    credential_value: str | None = None,
) -> tuple[dict[str, Any], AuthCredential]:
    """A key, and where it stands in a request: `auth_scheme` and `auth_credential` of an `OpenAPIToolset`.

    Raises:
        ValueError: The key has no value, or its place no name.
    """
    if not credential_value or (token_type == "apikey" and not (location and name)):  # noqa: S105  a kind of token
        raise ValueError("Give the key's value, and for an API key the place that it stands in and its name there.")
    if token_type == "apikey":  # noqa: S105  the same
        scheme = {"type": "apiKey", "in": location, "name": name}
        return scheme, AuthCredential(auth_type=AuthCredentialTypes.API_KEY, api_key=credential_value)
    http = HttpAuth(scheme="bearer", credentials=HttpCredentials(token=credential_value))
    return {"type": "http", "scheme": "bearer"}, AuthCredential(auth_type=AuthCredentialTypes.HTTP, http=http)


def key_in_request(scheme: Any, credential: AuthCredential | None) -> Key | None:
    """A key and its place in a request; None if there is no key, or none is needed.

    Args:
        scheme: A security scheme as OpenAPI has it, a mapping or a pydantic model; None if no key is needed.
        credential: The key.

    Raises:
        ToolError: The scheme needs a sign-in.
    """
    if credential is None or scheme is None:
        return None
    given: Any = scheme.model_dump(mode="json", by_alias=True) if isinstance(scheme, BaseModel) else scheme
    described = cast("Mapping[str, Any]", given)
    kind = described.get("type")
    if kind == "apiKey" and credential.api_key:
        config.hide(credential.api_key)
        return Key(str(described.get("in", described.get("in_"))), str(described.get("name")), credential.api_key)
    if kind != "http" or credential.http is None:
        raise ToolError(f"The API wants {kind!r}, and the key is of the kind {credential.auth_type.value!r}.")
    known = credential.http.credentials
    secret = known.token or base64.b64encode(f"{known.username}:{known.password}".encode()).decode()
    config.hide(secret)
    return Key("header", "Authorization", secret, credential.http.scheme.capitalize())
