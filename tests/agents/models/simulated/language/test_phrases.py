"""Every data file of sentences has the same sentences, with the same fields, in every language."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

import agents.pipelines
from agents.models.simulated.language.detect import LANGUAGES, language_of
from agents.models.simulated.language.phrases import phrases_beside
from agents.pipelines import help_desk

FOLDER = Path(agents.pipelines.__file__).parent
FILES = sorted([*FOLDER.glob("*/phrases.toml"), *FOLDER.glob("*/simulation.toml")])
PARTLY_IN_ENGLISH = {"tool_loop"}
"""What else is said there in English stands in the code, since it is worked out there."""
ONLY_IN_ENGLISH = {"error", "errors", "about", "status", "why", "step"}
"""Fields with words of a tool or an agent that have no other language, and `step`, which stands in for one."""


def fields_of(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name} - ONLY_IN_ENGLISH


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_a_sentence_is_there_in_every_language_with_the_same_fields(file):
    texts = phrases_beside(str(file), file.name).texts
    languages = [language for language in LANGUAGES if language in texts]
    assert languages in ([], list(LANGUAGES))

    sentences = {one: {key: text for key, text in texts[one].items() if isinstance(text, str)} for one in languages}
    words = {one: {key: set(table) for key, table in texts[one].items() if isinstance(table, dict)} for one in languages}
    for language in languages:
        missing = set(sentences[languages[-1]]) ^ set(sentences[language])
        assert not missing or (language == "en" and file.parent.name in PARTLY_IN_ENGLISH), language
        for key, text in sentences[language].items():
            if language == "en" and "{error}" in text:
                continue
            assert fields_of(text) == fields_of(sentences[languages[-1]][key]), f"{language}: {key}"
        if language != "en":
            assert words[language] == words[languages[-1]]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_sentences_are_in_the_language_that_they_stand_under(file):
    found = phrases_beside(str(file), file.name).texts
    for language, texts in ((one, found[one]) for one in LANGUAGES if one in found):
        said = " ".join(text for text in texts.values() if isinstance(text, str))

        assert language_of(said) == language


def test_fields_are_not_read_as_templates():
    phrases = phrases_beside(help_desk.__file__, "simulation.toml")

    assert "{matters.__class__}" in phrases.say("en", "hello", matters="{matters.__class__}")
