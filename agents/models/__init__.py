"""Model providers, one package each; `registry` finds the one for a model name and imports it then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.config import models_folder as models_folder
    from agents.config import simulated_words_per_second as simulated_words_per_second
    from agents.model import BaseLlm as BaseLlm
    from agents.model import LlmRequest as LlmRequest
    from agents.model import LlmResponse as LlmResponse
    from agents.models.abilities.attachments import Attachments as Attachments
    from agents.models.abilities.attachments import attachments as attachments
    from agents.models.abilities.learnt import Lesson as Lesson
    from agents.models.connections import Connection as Connection
    from agents.models.connections import checked_url as checked_url
    from agents.models.connections import connection as connection
    from agents.models.connections import redact as redact
    from agents.models.connections import use_url as use_url
    from agents.models.connections import why_withheld as why_withheld
    from agents.models.faults import FAULT_MARK as FAULT_MARK
    from agents.models.gemini.model import Gemini as Gemini
    from agents.models.local.catalogue import MODEL_CATALOGUE as MODEL_CATALOGUE
    from agents.models.local.catalogue import find_file as find_file
    from agents.models.local.files import FILE_SUFFIX as FILE_SUFFIX
    from agents.models.local.files import INSTALL_LOCAL as INSTALL_LOCAL
    from agents.models.local.files import LOCAL_PREFIX as LOCAL_PREFIX
    from agents.models.local.files import lacks_extra as lacks_extra
    from agents.models.local.gguf import GgufError as GgufError
    from agents.models.local.gguf import read_gguf as read_gguf
    from agents.models.local.hub import pull_file as pull_file
    from agents.models.local.model_cache import LoadedModel as LoadedModel
    from agents.models.openai_compatible.model import Llama as Llama
    from agents.models.pricing import PriceRow as PriceRow
    from agents.models.pricing import list_prices as list_prices
    from agents.models.pricing import price_of as price_of
    from agents.models.pricing import price_rows as price_rows
    from agents.models.pricing import price_source as price_source
    from agents.models.pricing import priced_names as priced_names
    from agents.models.provider import Endpoint as Endpoint
    from agents.models.provider import Lack as Lack
    from agents.models.provider import ModelFiles as ModelFiles
    from agents.models.provider import Price as Price
    from agents.models.provider import Provider as Provider
    from agents.models.providers import all_providers as all_providers
    from agents.models.providers import context_windows as context_windows
    from agents.models.providers import endpoints as endpoints
    from agents.models.providers import provider_named as provider_named
    from agents.models.providers import provider_of as provider_of
    from agents.models.registry import LLMRegistry as LLMRegistry
    from agents.models.replay.record import REPLAY_MARK as REPLAY_MARK
    from agents.models.replay.record import REPLAYED as REPLAYED
    from agents.models.replay.spec import REPLAY_PREFIX as REPLAY_PREFIX
    from agents.models.simulated.model import SIMULATED_MARK as SIMULATED_MARK
    from agents.models.simulated.model import Reply as Reply
    from agents.models.simulated.model import SimulatedLlm as SimulatedLlm
    from agents.models.simulated.request import SimulatedRequest as SimulatedRequest
    from agents.models.simulated.spec import SIMULATED as SIMULATED
    from agents.models.you.model import YouLlm as YouLlm
    from agents.models.you.spec import TYPED_MARK as TYPED_MARK
    from agents.models.you.spec import YOU as YOU

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
