"""The user as a provider."""

from __future__ import annotations

from agents.models.provider import Provider

YOU = "you"
"""The model that is the user: a call waits for them, see `agents.models.you.model`."""

TYPED_MARK = "typed_by_person"
"""The key in `custom_metadata` of an answer that a person typed; its value is True."""

PROVIDER = Provider(
    name="you",
    label="You",
    about="You answer in the model's place: the run waits at each call and shows you what a model would be sent.",
    models_about="Waits for you at each call, and shows what a model would be sent.",
    access="person",
    llm_class="agents.models.you.model:YouLlm",
    patterns=(YOU,),
    models=(YOU,),
    free=(YOU,),
)
