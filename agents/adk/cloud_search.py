"""Searches that Google's cloud runs while Gemini answers; other models refuse them. They need Gemini on Vertex AI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from google.genai import types

from agents import BaseTool, LlmRequest, ReadonlyContext, ToolContext


class _CloudTool(BaseTool):
    """A tool that is asked for with a part of the request.

    Args:
        name: Of the tool.
        description: What it is for.
        asked: The part.
    """

    def __init__(self, name: str, description: str, asked: types.Tool) -> None:
        super().__init__(name=name, description=description)
        self._asked = asked

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Asks for the tool; see `BaseTool`."""
        llm_request.append_built_in(self._asked)


class GoogleMapsGroundingTool(_CloudTool):
    """Lets Gemini look places up on Google's maps."""

    def __init__(self) -> None:
        super().__init__("google_maps", "google_maps", types.Tool(google_maps=types.GoogleMaps()))


class EnterpriseWebSearchTool(_CloudTool):
    """Lets Gemini search the web by Google's rules for enterprises."""

    def __init__(self) -> None:
        asked = types.Tool(enterprise_web_search=types.EnterpriseWebSearch())
        super().__init__("enterprise_web_search", "enterprise_web_search", asked)


class VertexAiRagRetrieval(_CloudTool):
    """Lets Gemini search in corpora of Vertex AI.

    Args:
        name: Of the tool.
        description: What is in the corpora.
        rag_corpora: Names of corpora.
        rag_resources: Corpora, each with the files that are searched.
        similarity_top_k: How many passages are found.
        vector_distance_threshold: How far they may be from what is asked.
    """

    def __init__(
        self,
        *,
        name: str,
        description: str,
        rag_corpora: list[str] | None = None,
        rag_resources: Sequence[Any] | None = None,
        similarity_top_k: int | None = None,
        vector_distance_threshold: float | None = None,
    ) -> None:
        store = types.VertexRagStore(
            rag_corpora=rag_corpora,
            rag_resources=[_resource(one) for one in rag_resources] if rag_resources else None,
            similarity_top_k=similarity_top_k,
            vector_distance_threshold=vector_distance_threshold,
        )
        super().__init__(name, description, types.Tool(retrieval=types.Retrieval(vertex_rag_store=store)))


def _resource(given: Any) -> types.VertexRagStoreRagResource:
    """A resource, also one of Google's other library, or a dictionary."""
    if isinstance(given, Mapping):
        return types.VertexRagStoreRagResource.model_validate(cast("Mapping[str, Any]", given))
    return types.VertexRagStoreRagResource(
        rag_corpus=getattr(given, "rag_corpus", None), rag_file_ids=getattr(given, "rag_file_ids", None)
    )


class VertexAiSearchTool(BaseTool):
    """Lets Gemini search in a data store of Vertex AI Search.

    Args:
        data_store_id: The store.
        data_store_specs: Stores of an engine that are searched.
        search_engine_id: The engine, in place of a store.
        filter: Which documents are searched.
        max_results: How many are found at most.
        bypass_multi_tools_limit: Has no effect.
        name: Of the tool.
        description: What is in the store.

    Raises:
        ValueError: There is not one of store and engine.
    """

    def __init__(
        self,
        *,
        data_store_id: str | None = None,
        data_store_specs: list[types.VertexAISearchDataStoreSpec] | None = None,
        search_engine_id: str | None = None,
        filter: str | None = None,
        max_results: int | None = None,
        bypass_multi_tools_limit: bool = False,
        name: str | None = None,
        description: str | None = None,
    ) -> None:
        super().__init__(name=name or "vertex_ai_search", description=description or "vertex_ai_search")
        if (data_store_id is None) == (search_engine_id is None):
            raise ValueError("Give VertexAiSearchTool either data_store_id or search_engine_id.")
        self.data_store_id, self.search_engine_id = data_store_id, search_engine_id
        self.data_store_specs, self.filter, self.max_results = data_store_specs, filter, max_results

    def _build_vertex_ai_search_config(self, readonly_context: ReadonlyContext) -> types.VertexAISearch:
        """What is searched; subclasses may choose it by the context."""
        return types.VertexAISearch(
            datastore=self.data_store_id,
            data_store_specs=self.data_store_specs,
            engine=self.search_engine_id,
            filter=self.filter,
            max_results=self.max_results,
        )

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Asks for the tool; see `BaseTool`."""
        asked = self._build_vertex_ai_search_config(tool_context)
        llm_request.append_built_in(types.Tool(retrieval=types.Retrieval(vertex_ai_search=asked)))


google_maps_grounding = GoogleMapsGroundingTool()
enterprise_web_search = EnterpriseWebSearchTool()
