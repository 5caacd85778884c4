"""Two agents, one after the other."""

from __future__ import annotations

from agents import LlmAgent, SequentialAgent

root_agent = SequentialAgent(name="Duet", sub_agents=[LlmAgent(name="First"), LlmAgent(name="Second")])
