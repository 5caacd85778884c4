"""`OpenAPIToolset`: tools from a description, the requests that they make, and descriptions that mean harm."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from agents import InMemoryRunner, LlmAgent, OpenAPIToolset
from agents.adk.names import value_of
from agents.errors import ToolError
from agents.forks.effects import HeldTool, hold_tools
from agents.models.scripted import ScriptedLlm, call
from agents.tools.agent_tool import effectful_tools
from agents.toolsets.openapi import rest_api
from agents.toolsets.openapi.addresses import is_public, public_address
from agents.toolsets.openapi.spec import MOST_PARAMETERS, MOST_SCHEMAS, operations_in, snake_case
from tests.agents.stage import user

pytestmark = pytest.mark.anyio

SPEC = {
    "openapi": "3.0.3",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://pets.example/{area}", "variables": {"area": {"default": "v1"}}}],
    "security": [{"key": []}],
    "paths": {
        "/pets/{petId}": {
            "parameters": [{"name": "petId", "in": "path", "required": True, "schema": {"type": "string"}}],
            "get": {
                "operationId": "getPet",
                "summary": "Finds a pet.",
                "parameters": [
                    {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                    {"name": "Authorization", "in": "header", "schema": {"type": "string"}},
                    {"name": "lang", "in": "cookie", "schema": {"type": "string"}},
                ],
            },
            "put": {
                "operationId": "replacePet",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
                "security": [],
            },
        },
    },
    "components": {
        "schemas": {
            "Pet": {
                "type": "object",
                "required": ["petName"],
                "properties": {
                    "petName": {"type": "string", "description": "Its name."},
                    "mother": {"$ref": "#/components/schemas/Pet"},
                    "kind": {"allOf": [{"type": "string"}, {"enum": ["cat", "dog"]}]},
                },
            }
        },
        "securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "api_key"}},
    },
}


class _Handler(BaseHTTPRequestHandler):
    def _answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.server.asked.append((self.command, self.path, dict(self.headers), self.rfile.read(length).decode()))
        status, headers, body = self.server.answer
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_POST = _answer  # noqa: N815

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as made:
        made.asked, made.answer = [], (200, {}, b'{"name": "Tom"}')
        made.url = f"http://127.0.0.1:{made.server_port}"
        threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
        yield made
        made.shutdown()


def toolset(server, **more):
    spec = {**SPEC, "servers": [{"url": server.url + "/"}]}
    return OpenAPIToolset(spec_dict=spec, **{"allow_private_network_access": True, **more})


async def ask(tools, name, **args):
    return await tools.get_tool(name).run_async(args=args, tool_context=None)


def key(value, place="query", name="api_key"):
    scheme, credential = value_of("tools", "token_to_scheme_credential")("apikey", place, name, value)
    return {"auth_scheme": scheme, "auth_credential": credential}


def test_each_operation_is_a_tool_that_tells_its_arguments():
    tools = OpenAPIToolset(spec_str=json.dumps(SPEC)).known_tools
    assert [(tool.name, tool.description, tool.read_only_hint) for tool in tools] == [
        ("get_pet", "Finds a pet.", True),
        ("replace_pet", "PUT https://pets.example/v1/pets/{petId}", False),
    ]
    schema = tools[1]._get_declaration().parameters_json_schema
    assert schema["required"] == ["pet_id", "pet_name"]
    assert schema["properties"] == {
        "pet_id": {"type": "string"},
        "pet_name": {"type": "string", "description": "Its name."},
        "mother": {},
        "kind": {"type": "string", "enum": ["cat", "dog"]},
    }


async def test_arguments_stand_where_the_description_says(server):
    tools = toolset(server)
    answer = await ask(tools, "get_pet", pet_id="a/b ?", tags=["x", "y&z"], x_trace="t", authorization="mine", lang="de;x=1")

    assert answer == {"name": "Tom"}
    method, path, headers, _ = server.asked[0]
    assert (method, path) == ("GET", "/pets/a%2Fb%20%3F?tags=x&tags=y%26z")
    assert (headers["X-Trace"], headers["Cookie"]) == ("t", "lang=de%3Bx%3D1")
    assert "Authorization" not in headers


async def test_the_body_has_the_servers_names(server):
    await ask(toolset(server), "replace_pet", pet_id="1", pet_name="Tom", mother={"petName": "Ada"})
    _, _, headers, body = server.asked[0]
    assert headers["Content-Type"] == "application/json"
    assert json.loads(body) == {"petName": "Tom", "mother": {"petName": "Ada"}}


@pytest.mark.parametrize("place", ["query", "header", "cookie"])
async def test_a_key_is_sent_and_never_told(server, place):
    server.answer = (200, {}, b'{"you": "secret-key-1"}')
    answer = await ask(toolset(server, **key("secret-key-1", place, "k")), "get_pet", pet_id="1")
    _, path, headers, _ = server.asked[0]
    sent = {"query": path, "header": headers.get("k", ""), "cookie": headers.get("Cookie", "")}
    assert "secret-key-1" in sent[place]
    assert answer == {"you": "[key]"}


@pytest.mark.parametrize("echoed", ["Bearer se/cret+key 3", "se/cret+key 3", "se%2Fcret%2Bkey%203", "?k=se%2Fcret%2Bkey+3"])
async def test_a_server_that_says_a_token_again_does_not_tell_it_to_the_model(server, echoed):
    server.answer = (401, {}, f"invalid: {echoed}".encode())
    scheme, credential = value_of("tools", "token_to_scheme_credential")("oauth2Token", credential_value="se/cret+key 3")
    answer = await ask(toolset(server, auth_scheme=scheme, auth_credential=credential), "get_pet", pet_id="1")
    assert server.asked[0][2]["Authorization"] == "Bearer se/cret+key 3"
    assert answer["error"].endswith(f"invalid: {echoed.partition('se')[0]}[key]")


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://{host}", "/a/{host}"),
        ("https://{area}.pets.example/v1", "/a"),
        ("https://pets.example", "@evil.example/a"),
        ("https://pets.example", ".evil.example/a"),
        ("https://pets.example", ":8080/a"),
    ],
)
def test_neither_a_path_nor_a_model_names_the_server_that_gets_the_key(url, path):
    with pytest.raises(ToolError, match=r"must begin with a slash|give each variable"):
        operations_in({"openapi": "3.0.0", "servers": [{"url": url}], "paths": {path: {"get": {}}}})


async def test_the_description_says_where_a_key_stands(server):
    credential = key("secret-key-2")["auth_credential"]
    tools = toolset(server, auth_credential=credential, tool_filter=["get_pet"])
    await ask(tools, "get_pet", pet_id="1")
    assert server.asked[0][1] == "/pets/1?api_key=secret-key-2"


@pytest.mark.parametrize("value", ["..", "a/../b", "a\\..\\b", "."])
async def test_an_argument_cannot_leave_the_path(server, value):
    assert "must not have" in (await ask(toolset(server), "get_pet", pet_id=value))["error"]
    assert server.asked == []


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "ü"])
async def test_an_argument_cannot_add_a_header(server, value):
    answer = await ask(toolset(server), "get_pet", pet_id="1", x_trace=value)
    assert "error" in answer or "X-Evil" not in server.asked[0][2]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((404, {}, b"no such pet"), {"error": "The server answered with status 404: no such pet"}),
        ((200, {}, b"plain"), {"text": "plain", "status": 200}),
        ((302, {"Location": "http://127.0.0.1:1/"}, b""), {"text": "", "status": 302}),
        (
            (200, {"Content-Encoding": "gzip"}, b"x"),
            {"error": "The server sends a compressed answer, though it was asked not to."},
        ),
        ((200, {"Content-Type": "text/plain; charset=hex"}, b"[1]"), [1]),
        ((200, {}, b"[" * 100_000), {"text": "[" * 100_000, "status": 200}),
    ],
)
async def test_answers_that_are_not_plain_json(server, answer, told):
    server.answer = answer
    assert await ask(toolset(server), "get_pet", pet_id="1") == told


async def test_of_a_long_answer_the_beginning_is_told(server):
    server.answer = (200, {}, b"x" * (rest_api.MOST_BYTES + 1))
    answer = await ask(toolset(server), "get_pet", pet_id="1")
    assert len(answer["text"]) == rest_api.MOST_BYTES
    assert "longer than 200,000 bytes" in answer["cut"]


async def test_a_server_that_is_not_there_is_an_error_for_the_model(server):
    server.shutdown()
    server.server_close()
    assert "The server cannot be asked: ConnectError" in (await ask(toolset(server), "get_pet", pet_id="1"))["error"]


async def test_an_argument_that_is_missing_is_named(server):
    assert await ask(toolset(server), "get_pet") == {"error": "get_pet needs the argument 'pet_id'."}


async def test_this_machine_is_asked_only_if_the_author_allows_it(server):
    answer = await ask(toolset(server, allow_private_network_access=False), "get_pet", pet_id="1")
    assert "127.0.0.1 is not a public address" in answer["error"]
    assert server.asked == []


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "224.0.0.1",
            "::1",
            "fe80::1%eth0",
            "fc00::1",
        ),
        *("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
        *("::127.0.0.1", "64:ff9b:1::7f00:1", "fec0::1"),
    ],
)
def test_addresses_that_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860:4860::8888", "64:ff9b::808:808"])
def test_addresses_that_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize("host", ["localhost", "[::1]", "2130706433", "0x7f.1"])
async def test_names_of_this_machine_are_not_public(host):
    with pytest.raises(ToolError, match=r"not a public address|has no address"):
        await public_address(f"http://{host}/")


# -- descriptions


def spec_of(schema, **more):
    body = {"content": {"application/json": {"schema": schema}}}
    return {"openapi": "3.1.0", "paths": {"/a": {"post": {"operationId": "a", "requestBody": body}}}, **more}


def test_a_description_whose_schemas_multiply_is_cut():
    schemas = {
        f"S{n}": {"type": "object", "properties": {x: {"$ref": f"#/components/schemas/S{n + 1}"} for x in "abcdefgh"}}
        for n in range(20)
    }
    [found] = operations_in(spec_of({"$ref": "#/components/schemas/S0"}, components={"schemas": schemas}))
    assert len(json.dumps([one.schema for one in found.parameters])) < 60 * MOST_SCHEMAS


def test_a_description_that_many_operations_refer_to_is_cut():
    parameters = [{"name": f"p{n}", "in": "query"} for n in range(20_000)]
    schema = {"type": "object", "properties": {f"k{n}": {} for n in range(20_000)}, "required": ["k1", "k19999", [], None]}
    body = {"content": {"application/json": {"schema": {"$ref": "#/x"}}}}
    operation = {"parameters": parameters, "requestBody": body}
    spec = {
        "openapi": "3.0.0",
        "paths": {f"/{n}": {"post": {"$ref": "#/y"}, "get": operation} for n in range(2)},
        "x": schema,
    }
    found = operations_in(spec)
    assert max(len(one.parameters) for one in found) < MOST_SCHEMAS + MOST_PARAMETERS
    with pytest.raises(ToolError, match="a reference of 1,000,001 characters"):
        operations_in(spec_of({"$ref": "#" + "/" * 1_000_000}))


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (["注文一覧", "客一覧"], ["a_get", "b_get"]),
        (["قائمة", ""], ["a_get", "b_get"]),
        (["x" * 70 + "1", "x" * 70 + "2"], ["x" * 60, "x" * 60 + "_0"]),
    ],
)
def test_operations_have_names_of_their_own(ids, names):
    paths = {path: {"get": {"operationId": one}} for path, one in zip(("/a", "/b"), ids, strict=True)}
    assert [one.name for one in operations_in({"openapi": "3.0.0", "paths": paths})] == names


def test_references_in_a_circle_end():
    spec = spec_of({"$ref": "#/x"}, x={"$ref": "#/y"}, y={"$ref": "#/x"})
    assert operations_in(spec)[0].parameters[0].schema == {}
    spec["paths"]["/b"] = {"$ref": "#/paths/~1b"}
    assert [one.name for one in operations_in(spec)] == ["a"]


@pytest.mark.parametrize("ref", ["https://evil.example/x.json", "other.yaml#/a", "file:///etc/passwd"])
def test_references_to_other_documents_are_refused(ref):
    with pytest.raises(ToolError, match="refers to another document"):
        operations_in(spec_of({"$ref": ref}))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: &x [1]\nb: [*x, *x]", "aliases"),
        ("[1]", "no mapping"),
        ("{", "cannot be read"),
        ("{" + '"a":{' * 50_000, "cannot be read"),
        ('swagger: "2.0"', "no OpenAPI 3"),
        ("a: !!python/object/apply:os.system [id]", "cannot be read"),
        ("x" * 4_000_001, "4,000,000"),
        ("", "no mapping"),
    ],
)
def test_texts_that_are_no_description_are_refused(text, why):
    with pytest.raises(ToolError, match=why):
        OpenAPIToolset(spec_str=text)


@pytest.mark.parametrize("odd", [None, 7, "x", [], [None], {"a": None}])
def test_odd_values_anywhere_do_not_raise_anything_else(odd):
    for place in ("paths", "servers", "security", "components"):
        operations_in({**SPEC, place: odd})
    for place in ("parameters", "requestBody", "security", "operationId"):
        operations_in({"openapi": "3.0", "paths": {"/a": {"get": {place: odd}}}})
    for place in ("name", "in", "schema", "description"):
        operations_in({"openapi": "3.0", "paths": {"/a": {"get": {"parameters": [{"name": "n", place: odd}]}}}})
    operations_in(spec_of(dict.fromkeys(("type", "items", "properties", "anyOf", "allOf", "required", "enum"), odd)))


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ({"type": "array", "items": {"type": "string"}}, ["array"]),
        ({"type": "string"}, ["body"]),
        (
            {"type": "object", "properties": {"class": {}, "userName": {}, "user_name": {}}},
            ["param_class", "user_name", "user_name_0"],
        ),
    ],
)
def test_arguments_of_a_body_are_called_as_in_adk(schema, names):
    assert [one.name for one in operations_in(spec_of(schema))[0].parameters] == names


def test_a_file_can_be_named(tmp_path):
    file = tmp_path / "api.yaml"
    file.write_text("openapi: 3.0.0\npaths:\n  /now:\n    get: {}\n")
    assert [tool.name for tool in OpenAPIToolset(spec_file=file).known_tools] == ["now_get"]


@pytest.mark.parametrize(
    ("given", "name"), [("listPets", "list_pets"), ("HTTPServer-2", "http_server_2"), ("/pets/{id}_get", "pets_id_get")]
)
def test_names_are_in_snake_case(given, name):
    assert snake_case(given) == name


# -- in an agent


async def test_a_model_calls_an_operation_by_its_prefixed_name(server):
    model = ScriptedLlm(script=[[call("zoo_get_pet", pet_id="1")], "Tom."])
    agent = LlmAgent(name="Ada", model=model, tools=[toolset(server, tool_name_prefix="zoo", tool_filter=["get_pet"])])
    runner = InMemoryRunner(agent, app_name="play")
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s")
    events = [event async for event in runner.run_async(user_id="u", session_id="s", new_message=user("who?"))]

    assert list(model.requests[0].tools_dict) == ["zoo_get_pet"]
    assert events[1].get_function_responses()[0].response == {"name": "Tom"}


async def test_in_a_fork_operations_that_change_something_are_held(server):
    agent = LlmAgent(name="Ada", model="x", tools=[toolset(server, tool_name_prefix="zoo")])
    assert effectful_tools(agent) == {"zoo_replace_pet"}
    hold_tools(agent, [])
    assert [isinstance(tool, HeldTool) for tool in await agent.canonical_tools()] == [False, True]
