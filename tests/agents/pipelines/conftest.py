"""Requests as simulations are shown them."""

from __future__ import annotations

import pytest
from google.genai import types

from agents.models.simulated.model import SimulatedRequest


@pytest.fixture
def simulated_request():
    """Makes a request from an instruction, and optionally tools and results of this turn's calls."""

    def make(agent: str, instruction: str, *, tools=(), results=()) -> SimulatedRequest:
        contents = [types.Content(role="user", parts=[types.Part(text="go")])]
        contents += [
            types.Content(role="user", parts=[types.Part.from_function_response(name=name, response=response)])
            for name, response in results
        ]
        declared = tuple(types.FunctionDeclaration(name=name) for name in tools)
        return SimulatedRequest(agent, instruction, tuple(contents), declared)

    return make
