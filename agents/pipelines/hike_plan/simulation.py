"""What a simulated model answers for the three agents of the hike.

One reads the legs by forms, one times the leg that it is given by the rule in its instruction, one writes what was added up.
"""

from __future__ import annotations

import json

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.numbers import numbers_in
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import Reading, forms_beside

_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")
_USUAL_PACE = 15.0
_LONGER = {"up": 1.5, "flat": 1.0, "down": 0.8}
_MOST_KM = 200


def read(request: SimulatedRequest) -> str:
    """The legs as JSON; [] if the request is not read."""
    reading = _FORMS.read(request.last_user_text())
    legs: list[Reading] = reading.all("leg") if reading else []
    if not all(0 < leg.get("km") <= _MOST_KM for leg in legs):
        return "[]"
    return json.dumps([{"km": float(leg.get("km")), "way": _way(leg)} for leg in legs])


def _way(leg: Reading) -> str:
    return next((way for way in _LONGER if leg.get(way) is not None), "flat")


def time(request: SimulatedRequest) -> str:
    """The leg that was given, with its minutes."""
    leg = request.last_user_object()
    pace = next((number.value for number in numbers_in(request.section("Minutes a kilometre"))), _USUAL_PACE)
    minutes = round(leg.get("km", 0) * pace * _LONGER[leg.get("way", "flat")])
    return json.dumps({"km": leg.get("km"), "way": leg.get("way"), "minutes": minutes})


def tell(request: SimulatedRequest) -> Reply | str:
    """The plan, in the language of the request."""
    asked, given = request.section("request"), request.last_user_object()
    if not given.get("km"):
        return _FORMS.refusal(asked)
    language = answer_language(asked)
    lines = [
        _SAID.say(
            language, "leg", number=number, km=f"{leg['km']:g}", way=_SAID.say(language, leg["way"]), minutes=leg["minutes"]
        )
        for number, leg in enumerate(given["legs"], 1)
    ]
    if given["missing"]:
        lines.append(_SAID.say(language, "missing", count=given["missing"]))
    hours, minutes = divmod(given["minutes"], 60)
    total = _SAID.say(language, "total", km=f"{given['km']:g}", hours=hours, minutes=minutes, litres=given["litres"])
    return "\n".join([*lines, total])


SIMULATION = {"RouteReader": read, "LegScout": time, "HikeGuide": tell}
