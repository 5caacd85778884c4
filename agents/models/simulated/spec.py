"""The simulated model as a provider."""

from __future__ import annotations

from agents.models.provider import Provider

SIMULATED = "simulated"
"""The model that needs no key: it computes its answers with the pipeline's own simulation."""

PROVIDER = Provider(
    name="simulated",
    label="Simulated",
    about="Works answers out on this machine, from what a model would read. No key, no network.",
    models_about="Computes its answers from what it is sent, without a model.",
    access="simulation",
    llm_class="agents.models.simulated.model:SimulatedLlm",
    patterns=(SIMULATED,),
    models=(SIMULATED,),
    free=(f"{SIMULATED}*",),  # pipelines give simulated models names of their own, such as simulated-quick
)
