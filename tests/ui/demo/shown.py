"""What a page gives the stage of the demos."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from ui.demo.stage.component import NAME


def shown_on_stage(at: AppTest) -> dict[str, Any]:
    """The picture that a page draws."""
    found = next(element for element in at.get("bidi_component") if element.proto.component_name == NAME)
    return json.loads(json.loads(found.proto.json)["shown"])
