"""The simulated models of the ACE roles: they learn from the playbook that they are given, and from nothing else."""

from __future__ import annotations

from agents.pipelines.ace.simulation.roles import SIMULATION

__all__ = ["SIMULATION"]
