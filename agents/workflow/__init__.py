"""Graph workflows: nodes and edges, with the names of ADK 2.

Public names, each loaded when it is first used.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.errors import (
        DynamicNodeFailError,
        GraphValidationError,
        NodeTimeoutError,
        StateSchemaError,
        WorkflowConfigurationError,
        WorkflowDataError,
    )
    from agents.runtime.nodes.retry_config import RetryConfig
    from agents.workflow.context import Context
    from agents.workflow.graph import DEFAULT_ROUTE, Edge, Graph
    from agents.workflow.nodes.base_node import START, BaseNode
    from agents.workflow.nodes.build import Node, node
    from agents.workflow.nodes.function_node import FunctionNode
    from agents.workflow.nodes.join_node import JoinNode
    from agents.workflow.request_input import RequestInput
    from agents.workflow.workflow import Workflow

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
