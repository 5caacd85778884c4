"""Gemini as a provider."""

from __future__ import annotations

from agents.models.provider import Endpoint, Price, Provider

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
    models=("gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-2.5-pro"),
    name_hint="Choose, or type a name: gemini-…",
    name_rule="Names of Gemini models begin with gemini-",
    prices={  # for text, prompts up to 200,000 tokens; they change, and users can change them
        "gemini-2.5-pro": Price(input=1.25, output=10.0, cached=0.31),
        "gemini-2.5-flash": Price(input=0.30, output=2.50, cached=0.075),
        "gemini-2.5-flash-lite": Price(input=0.10, output=0.40, cached=0.025),
    },
    price_source="Google's list, 2025",
)
