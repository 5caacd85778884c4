"""The route of AG-UI."""

from __future__ import annotations

from starlette.routing import Route

from ui.api.lazy_route import lazy_route


def ag_ui_routes() -> list[Route]:
    """Each pipeline is an agent at an address of its own."""
    return [lazy_route("/ag-ui/{pipeline}", "ui.api.ag_ui.run:run_agent", methods=["POST"])]
