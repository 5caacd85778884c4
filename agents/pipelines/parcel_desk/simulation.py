"""What a simulated model answers for the two agents of the parcel desk.

One reads the request by forms; the other puts what the graph worked out into a sentence.
"""

from __future__ import annotations

import json

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import forms_beside

_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")
_MOST_LETTERS = 80


def read(request: SimulatedRequest) -> str:
    """Weight and place as JSON; 0 and "" if the request is not read."""
    reading = _FORMS.read(request.last_user_text())
    if reading is None:
        return json.dumps({"kilos": 0, "place": ""})
    kilos = float(reading.get("kilos", 0)) + float(reading.get("grams", 0)) / 1000
    return json.dumps({"kilos": round(kilos, 3), "place": reading.get("place")[:_MOST_LETTERS]}, ensure_ascii=False)


def answer(request: SimulatedRequest) -> Reply | str:
    """How the parcel is sent, in the language of the request."""
    asked = request.section("request")
    given = request.last_user_object()
    if not given.get("place"):
        return _FORMS.refusal(asked)
    language = answer_language(asked)
    fields = {"kilos": f"{given['kilos']:,g}", "place": given["place"]}
    if "by" not in given:
        return _SAID.say(language, "not_sent", **fields)
    calls = given.get("calls", 0)
    key = "post" if given["by"] == "post" else "carrier" if calls == 1 else "called_again"
    return _SAID.say(language, key, **fields, euros=f"{given['euros']:,.2f}", calls=calls)


SIMULATION = {"ParcelReader": read, "DeskClerk": answer}
