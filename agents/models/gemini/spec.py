"""Gemini as a provider."""

from __future__ import annotations

from agents.models.provider import Endpoint, Price, Provider

_PER_PROMPT, _PER_QUERY = 35.0, 14.0
"""US dollars for a thousand grounded prompts of Gemini 2.5, and for a thousand search queries of Gemini 3."""

# As of November 2026: the models that google-genai 3.4 names, and the changelog, which retired gemini-3.5-flash and
# gemini-3.7-flash. The aliases stay when a model goes. A server that can be asked has the last word: `Gemini.list_models`.
MODELS = (
    "gemini-flash-latest",
    "gemini-flash-lite-latest",
    "gemini-pro-latest",
    "gemini-3.8-flash",
    "gemini-3.5-flash-lite",
    "gemini-4-hydrogen",
    "gemini-4-argon",
    "gemini-4-carbon",
)

_FLASH = Price(input=0.75, output=3.75, search_queries=_PER_QUERY)
_LITE = Price(input=0.30, output=2.50, cached=0.03, search_queries=_PER_QUERY)
_PRO = Price(input=2.0, output=12.0, cached=0.20, search_queries=_PER_QUERY)
_LARGE = Price(input=2.0, output=10.0, cached=0.10, search_queries=_PER_QUERY)

# https://ai.google.dev/gemini-api/docs/pricing: paid tier, standard, text, prompts up to 200,000 tokens, beyond the free
# searches. Prices change, and users can change them. An answer mostly names the model behind an alias, whose price then
# counts. Models that are gone stay in the table for the sessions that were answered by them.
_PRICES = {
    "gemini-flash-latest": _FLASH,
    "gemini-flash-lite-latest": _LITE,
    "gemini-pro-latest": _PRO,
    "gemini-4-argon": _LARGE,
    "gemini-4-carbon": _LARGE,
    "gemini-4-hydrogen": Price(input=1.50, output=7.50, search_queries=_PER_QUERY),
    "gemini-3.8-flash": _FLASH,
    "gemini-3.6-flash": Price(input=1.50, output=7.50, cached=0.15, search_queries=_PER_QUERY),
    "gemini-3.1-pro": _PRO,
    "gemini-3.5-flash": Price(input=1.50, output=9.0, cached=0.15, search_queries=_PER_QUERY),
    "gemini-3.5-flash-lite": _LITE,
    "gemini-3.1-flash-lite": Price(input=0.25, output=1.50, cached=0.025, search_queries=_PER_QUERY),
    "gemini-3-flash": Price(input=0.50, output=3.0, cached=0.05, search_queries=_PER_QUERY),
    "gemini-2.5-pro": Price(input=1.25, output=10.0, cached=0.125, grounded_prompts=_PER_PROMPT),
    "gemini-2.5-flash": Price(input=0.30, output=2.50, cached=0.03, grounded_prompts=_PER_PROMPT),
    "gemini-2.5-flash-lite": Price(input=0.10, output=0.40, cached=0.01, grounded_prompts=_PER_PROMPT),
}

# https://ai.google.dev/gemini-api/docs/models: input token limits.
_WINDOW = 1_048_576

PROVIDER = Provider(
    name="gemini",
    label="Gemini",
    about="Google's models, over the network, with a key of your own from aistudio.google.com.",
    models_about="Google's, over the network.",
    access=Endpoint(
        url="https://generativelanguage.googleapis.com",
        url_variable="GOOGLE_GEMINI_BASE_URL",
        url_label="Another server than Google's (base URL)",
        key_variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),  # google-genai's own order
        key_label="Gemini key",
        needs_key=True,
        key_source="aistudio.google.com",
        key_note="There are free ones.",
    ),
    llm_class="agents.models.gemini.model:Gemini",
    patterns=(r"gemini-.*", r"models/gemini-.*"),
    models=MODELS,
    name_hint="Choose, or type a name: gemini-…",
    name_rule="Names of Gemini models begin with gemini-",
    prices=_PRICES,
    price_source=(
        "Google's list, November 2026; gemini-4-argon and gemini-4-carbon cost twice as much from December 2026, "
        "gemini-3.8-flash from January 2027"
    ),
    context_windows=dict.fromkeys(_PRICES, _WINDOW),
    telemetry_name="gcp.gemini",
    mime_types=(
        *("image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"),
        *("audio/wav", "audio/mpeg", "audio/ogg", "video/mp4"),
    ),
    files_about="Gemini takes images, PDF, sound, video and text files.",
)
