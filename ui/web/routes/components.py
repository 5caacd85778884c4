"""The scripts of the app's components: `/components/{name}.{hash}.js`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ui.browser.component_script import PATH, scripts

_KEPT = {"Cache-Control": "public, immutable, max-age=31536000"}  # a changed script has another name


def components_route() -> Route:
    """The route that serves the scripts."""

    async def endpoint(request: Request) -> Response:
        if (script := scripts.get(request.path_params["file"])) is None:
            return PlainTextResponse("There is no such script. Reload the page: the app was changed.", status_code=404)
        return Response(script, headers=_KEPT, media_type="text/javascript")

    return Route(PATH + "{file}", endpoint)
