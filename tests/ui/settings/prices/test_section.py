"""The price table, run without a browser."""

from __future__ import annotations

import pytest
from google.genai import types

from agents.model import BaseLlm, LlmResponse
from agents.models import registry
from agents.models.pricing import list_prices
from agents.models.provider import Price
from agents.scope import OUTSIDE
from tests.ui.settings.stage import notice, settings_page
from tests.ui.stage import finish, labels, now, said, sound, words

FLASH = "gemini-2.5-flash"


def test_a_built_in_price_is_changed_undone_and_reset(manager):
    at = sound(settings_page("prices"))
    assert at.number_input(key=f"price_{FLASH}_input").value == list_prices()[FLASH].input
    assert "Google's list" in words(at)
    at.number_input(key=f"price_{FLASH}_input").set_value(7.5).run()
    changed = list_prices()[FLASH].model_copy(update={"input": 7.5})
    assert manager.models.preferences.prices == {FLASH: changed}
    sound(at.button(key="undo_last").click().run())
    assert manager.models.preferences.prices == {}
    at.number_input(key=f"price_{FLASH}_output").set_value(9.0).run()
    sound(at.button(key=f"reset_{FLASH}").click().run())
    assert manager.models.preferences.prices == {}
    assert at.number_input(key=now(at, f"price_{FLASH}_output")).value == list_prices()[FLASH].output


def test_a_price_of_cached_tokens_can_be_left_out_and_no_other_one(manager):
    at = sound(settings_page("prices"))
    at.number_input(key=f"price_{FLASH}_cached").set_value(None).run()
    assert manager.models.preferences.prices[FLASH].cached is None
    sound(at).number_input(key=f"price_{FLASH}_output").set_value(None).run()
    assert at.number_input(key=now(at, f"price_{FLASH}_output")).value == list_prices()[FLASH].output
    assert manager.models.preferences.prices[FLASH].output == list_prices()[FLASH].output


def test_the_fee_for_google_searches_is_changed_and_can_be_left_out(manager):
    at = sound(settings_page("prices"))
    prompts, queries = (f"price_{FLASH}_{part}" for part in ("grounded_prompts", "search_queries"))
    assert (at.number_input(key=prompts).value, at.number_input(key=queries).value) == (35, None)
    sound(at.number_input(key=prompts).set_value(None).run())
    assert f"{FLASH}: no fee for grounded prompts." in notice(at)
    sound(at.number_input(key=queries).set_value(12.0).run())
    assert f"{FLASH}: $12 for a thousand search queries." in notice(at)
    fees = {"grounded_prompts": None, "search_queries": 12.0}
    assert manager.models.preferences.prices == {FLASH: list_prices()[FLASH].model_copy(update=fees)}


def test_one_more_model_gets_a_price_and_loses_it(manager):
    at = sound(settings_page("prices"))
    at.text_input(key="price_name").set_value("  llama/qwen3 ")
    at.number_input(key="new_price_input").set_value(1.0)
    at.number_input(key="new_price_output").set_value(0.0)
    sound(at.button(key="add_price").click().run())
    assert manager.models.preferences.prices == {"llama/qwen3": Price(input=1, output=0)}
    assert "llama/qwen3 has a price." in notice(at)
    assert at.text_input(key="price_name").value == ""
    sound(at.button(key="reset_llama/qwen3").click().run())
    assert manager.models.preferences.prices == {}


@pytest.mark.parametrize(
    ("name", "amounts", "why"),
    [
        ("", {"input": 1.0, "output": 1.0}, "Type the name"),
        (FLASH, {"input": 1.0, "output": 1.0}, "has a price already"),
        ("llama/x", {"input": 1.0}, "Type what a million tokens cost"),
        ("llama/\x07", {"input": 1.0, "output": 1.0}, "Type the name"),
    ],
)
def test_a_price_that_cannot_be_is_explained_and_what_was_typed_stays(manager, name, amounts, why):
    at = sound(settings_page("prices"))
    at.text_input(key="price_name").set_value(name)
    for part, value in amounts.items():
        at.number_input(key=f"new_price_{part}").set_value(value)
    sound(at.button(key="add_price").click().run())
    assert why in said(at)
    assert manager.models.preferences.prices == {}
    assert at.number_input(key="new_price_input").value == 1.0


class Priceless(BaseLlm):
    """A model that nobody knows the price of."""

    @classmethod
    def supported_models(cls):
        return ["priceless-.*"]

    async def generate_content_async(self, llm_request, stream=False):
        content = types.Content(role="model", parts=[types.Part(text="It is on its way.")])
        yield LlmResponse(content=content, stop_reason="end_turn")


@pytest.fixture
def priceless(monkeypatch):
    monkeypatch.setitem(OUTSIDE.part(registry._Registered), "priceless-.*", Priceless)


def test_a_model_that_leaves_it_to_others_is_priced_by_the_one_that_answers(manager, priceless):
    for model in ("simulated", "priceless-1"):
        finish(manager, "routed_llm", manager.start("routed_llm", "Roll 3d6", model=model).session_id)
    at = sound(settings_page("prices"))
    assert [button.key for button in at.button if button.key.startswith("unpriced_")] == ["unpriced_priceless-1"]


def test_models_of_recent_runs_without_a_price_are_offered_to_be_priced(manager, priceless):
    for model in ("simulated", "priceless-1"):
        finish(manager, "status_poller", manager.start("status_poller", "Where is it?", model=model).session_id)
    at = sound(settings_page("prices"))
    assert [label for label in labels(at) if label.startswith("priceless")] == ["priceless\\-1"]
    at.button(key="unpriced_priceless-1").click().run()
    assert sound(at).text_input(key="price_name").value == "priceless-1"
    at.number_input(key="new_price_input").set_value(1.0)
    at.number_input(key="new_price_output").set_value(2.0)
    sound(at.button(key="add_price").click().run())
    assert "priceless\\-1" not in labels(at)
