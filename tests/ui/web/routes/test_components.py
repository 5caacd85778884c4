"""The scripts of the components: a browser loads them by a URL that changes with them, and keeps them."""

from __future__ import annotations

import re

from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.browser.bundle import bundle
from ui.browser.component_script import component_script, scripts
from ui.web.routes.components import components_route
from ui.web.routes.page_shell import shell_route


def module(folder, text):
    path = folder / "component.js"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_loader_is_small_and_names_the_served_bundle(tmp_path):
    before = dict(scripts)
    try:
        entry = module(tmp_path, f"export default function draw() {{ return '{'日本' * 9000}'; }}\n")
        loader = component_script(entry, "drawn")
        (path,) = re.findall(r"components/(drawn\.[0-9a-f]{16}\.js)", loader)
        assert len(loader) < 300
        answer = TestClient(Starlette(routes=[components_route()])).get(f"/components/{path}")
        assert answer.text == bundle(entry)
        assert answer.headers["content-type"].startswith("text/javascript")
        assert "immutable" in answer.headers["cache-control"]
        changed = component_script(module(tmp_path, "export default function draw() {}\n"), "drawn")
        assert path not in changed
    finally:
        scripts.clear()
        scripts.update(before)


def test_a_script_of_another_version_is_not_found_and_the_answer_says_what_to_do():
    client = TestClient(Starlette(routes=[components_route()]))
    for path in ("session_view.0000000000000000.js", "日本.js", "x"):
        answer = client.get(f"/components/{path}")
        assert (answer.status_code, "Reload the page" in answer.text) == (404, True)


def test_the_page_preloads_what_its_first_view_draws():
    import ui.session_list.component
    import ui.session_view.component
    import ui.session_view.page_keys  # noqa: F401

    page = TestClient(Starlette(routes=[shell_route("/")])).get("/").text
    for name in ("session_view", "session_list", "page_keys"):
        (file,) = [file for file in scripts if file.startswith(f"{name}.")]
        assert f'<link rel="modulepreload" crossorigin href="./components/{file}">' in page
    assert "demo_stage" not in page
