"""Model providers, one package each; `registry` finds the one for a model name and imports it then."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.config import models_folder, simulated_words_per_second
    from agents.model import BaseLlm, LlmRequest, LlmResponse
    from agents.models.abilities.attachments import Attachments, attachments
    from agents.models.abilities.learnt import Lesson
    from agents.models.connections import Connection, checked_url, connection, redact, use_url, why_withheld
    from agents.models.faults import FAULT_MARK
    from agents.models.gemini.model import Gemini
    from agents.models.local.catalogue import MODEL_CATALOGUE, find_file
    from agents.models.local.files import FILE_SUFFIX, INSTALL_LOCAL, LOCAL_PREFIX, lacks_extra
    from agents.models.local.gguf import GgufError, read_gguf
    from agents.models.local.hub import pull_file
    from agents.models.local.model_cache import LoadedModel
    from agents.models.openai_compatible.model import Llama
    from agents.models.pricing import PriceRow, list_prices, price_of, price_rows, price_source, priced_names
    from agents.models.provider import Endpoint, Lack, ModelFiles, Price, Provider
    from agents.models.providers import all_providers, context_windows, endpoints, provider_named, provider_of
    from agents.models.registry import LLMRegistry
    from agents.models.replay.record import REPLAY_MARK, REPLAYED
    from agents.models.replay.spec import REPLAY_PREFIX
    from agents.models.simulated.model import SIMULATED_MARK, Reply, SimulatedLlm
    from agents.models.simulated.request import SimulatedRequest
    from agents.models.simulated.spec import SIMULATED
    from agents.models.you.model import YouLlm
    from agents.models.you.spec import TYPED_MARK, YOU

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
