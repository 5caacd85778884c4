"""Nodes that wait for all nodes before them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, ClassVar, cast

from agents.workflow.context import Context
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.values import fitted


class JoinNode(BaseNode):
    """Waits for all nodes before it. Its output is theirs, by their names; in a loop, once for each round.

    Its `input_schema` is that of each of them.
    """

    waits_for_all: ClassVar[bool] = True

    @property
    def runs_others(self) -> bool:
        """See `BaseNode`."""
        return False

    def check_input(self, data: Any) -> Any:
        """See `BaseNode`."""
        if self.input_schema is not None and isinstance(data, dict):
            return {key: fitted(self.input_schema, value) for key, value in cast("dict[str, Any]", data).items()}
        return super().check_input(data)

    @property
    def gives_one_item(self) -> bool:
        """See `BaseNode`."""
        return True

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        yield node_input
