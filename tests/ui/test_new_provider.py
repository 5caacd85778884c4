"""A seventh provider: one package and one line in the list, and it is found, offered, priced, set up and listed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from agents import models
from agents.errors import ModelNotFoundError
from agents.models import providers
from agents.models.connections import connection, redact, take_env, use_url, why_withheld
from agents.models.pricing import NOTHING, list_prices, price_of
from agents.models.provider import Price
from agents.models.registry import LLMRegistry
from agents.storage.preferences import Preferences
from tests.ui.settings.stage import badges, key_field, settings_page, settled
from tests.ui.stage import page, said, sound, words
from ui.cli import main as cli
from ui.state.options import model_choices

HERE = Path(__file__).parents[1] / "standins" / "providers"
KEY = "feathers-0123456789"


@pytest.fixture
def parrots(monkeypatch):
    """The package, beside the others, and its line in the list."""
    for variable in ("PARROT_KEY", "PARROT_URL"):
        monkeypatch.setenv(variable, "")  # put back afterwards, whatever a test has set
        monkeypatch.delenv(variable)
    for variable in ("LLAMA_BASE_URL", "OLLAMA_HOST"):
        monkeypatch.setenv(variable, "http://127.0.0.1:1")
    monkeypatch.setattr(models, "__path__", [*models.__path__, str(HERE)])
    monkeypatch.setattr(providers, "PACKAGES", (*providers.PACKAGES, "parrot"))
    providers.all_providers.cache_clear()
    yield
    providers.all_providers.cache_clear()
    for module in [name for name in sys.modules if name.startswith("agents.models.parrot")]:
        del sys.modules[module]


def test_without_its_line_nobody_knows_it():
    with pytest.raises(ModelNotFoundError):
        LLMRegistry.resolve("parrot/ara")


def test_it_is_found_by_name(parrots):
    assert LLMRegistry.new_llm("parrot/ara").model == "parrot/ara"
    with pytest.raises(ModelNotFoundError, match=r"Parrot \(parrot/\.\+\)"):
        LLMRegistry.resolve("cockatoo")


def test_its_key_and_server_are_read_kept_apart_and_taken_out_of_texts(parrots, monkeypatch):
    assert connection("parrot").base_url == "https://parrots.example"
    monkeypatch.setenv("PARROT_KEY", KEY)
    assert connection("parrot").api_key.get_secret_value() == KEY
    use_url("parrot", "http://127.0.0.1:2")
    assert connection("parrot").api_key is None
    assert "PARROT_KEY was given for https://parrots.example" in why_withheld("parrot", connection("parrot"))
    assert redact(f"bad key {KEY}") == "bad key [key]"
    take_env({"PARROT_URL": "http://127.0.0.1:3"})  # of a file: not beside the key of the shell
    use_url("parrot", None)
    assert connection("parrot").base_url == "https://parrots.example"


def test_it_is_priced(parrots):
    assert list_prices()["parrot/ara"] == Price(input=7, output=8)
    assert price_of("parrot/ara-2", Preferences().price_table) == Price(input=7, output=8)
    assert price_of("parrot/wild-1", {}) is NOTHING
    assert price_of("parrot/jako", {}) is None


def test_its_server_can_be_preferred(parrots):
    assert Preferences(base_urls={"parrot": "http://127.0.0.1:2"}).base_urls == {"parrot": "http://127.0.0.1:2"}


def test_the_picker_offers_it_and_says_what_is_missing(parrots, manager):
    assert "parrot/jako" in model_choices.offered(Preferences())
    assert model_choices.shown("parrot/jako") == "parrot/jako (no key)"
    at = sound(page(model="parrot/jako"))
    assert "parrot/ara (no key)" in at.selectbox(key="model_choice").options
    assert "Get one at parrots.example/keys" in said(at)
    manager.models.use_key("parrot", KEY)
    assert "parrot/jako" in sound(page(model="parrot/jako")).selectbox(key="model_choice").options


def test_the_settings_page_has_its_card(parrots, manager):
    at = sound(settled(settings_page()))
    place = [found.value for found in at.subheader].index("Parrots")
    assert badges(at)[place] == "key missing"
    assert "Birds that answer over the network." in words(at)
    key_field(at, "parrot").set_value(KEY)
    sound(at.button(key="use_key_parrot").click().run())
    assert badges(at)[place] == "key there, not tried"
    at.button(key="test_parrot").click().run()
    settled(sound(at))
    assert "single word: ready at https" in at.success[0].value.replace("\\", "")
    at.button(key="list_parrot").click().run()
    assert at.multiselect(key="offered_parrot").options == ["parrot/kea"]
    at.multiselect(key="offered_parrot").set_value(["macaw"]).run()
    assert manager.models.preferences.models == ("parrot/macaw",)


def test_its_prices_are_on_the_settings_page(parrots, manager):
    at = sound(settings_page("prices"))
    assert at.number_input(key="price_parrot/ara_input").value == 7
    assert "The birds' list" in words(at)


def test_the_command_line_lists_it(parrots, capsys, tmp_path):
    assert cli.main(("models", "--json", "--db", str(tmp_path / "none.db"))) == 0
    rows = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert (rows["parrot/ara"]["status"], rows["parrot/ara"]["about"]) == ("key missing", "A bird, over the network.")
    assert "PARROT_KEY" in rows["parrot/ara"]["cure"]
