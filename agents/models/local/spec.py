"""Model files that run inside the playground, as a provider."""

from __future__ import annotations

from agents.models.local import files
from agents.models.provider import ModelFiles, Provider

PROVIDER = Provider(
    name="local",
    label="Local file",
    about="A model file (GGUF) that runs inside the playground itself.",
    access=ModelFiles(found=files.found, lack=files.lack),
    llm_class="agents.models.local.model:LocalLlm",
    prefix=files.LOCAL_PREFIX,
    patterns=(r".+\.gguf",),
    name_hint="The path of a .gguf file elsewhere",
    free=(f"{files.LOCAL_PREFIX}*", f"*{files.FILE_SUFFIX}"),
)
