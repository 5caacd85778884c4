"""A stand-in for an OpenTelemetry collector: takes OTLP over HTTP on loopback and reads its protobuf.

with CollectorStandIn() as collector:
    … endpoint=collector.url …
    collector.spans
"""

from __future__ import annotations

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class CollectorStandIn:
    """The server.

    Attributes:
        requests: What was sent: path, headers, message.
        status: What it answers.
        arrived: Set when something has come.
    """

    def __init__(self, status: int = 200) -> None:
        self.requests: list[tuple[str, dict[str, str], ExportTraceServiceRequest]] = []
        self.status = status
        self.arrived = threading.Event()
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                stand_in.requests.append((self.path, dict(self.headers), ExportTraceServiceRequest.FromString(body)))
                self.send_response(stand_in.status)
                self.send_header("Content-Length", "0")
                self.end_headers()
                stand_in.arrived.set()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def spans(self) -> list[Any]:
        return [
            span
            for _, _, message in self.requests
            for resource in message.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    @property
    def services(self) -> set[str]:
        return {
            attribute.value.string_value
            for _, _, message in self.requests
            for resource in message.resource_spans
            for attribute in resource.resource.attributes
            if attribute.key == "service.name"
        }

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join(timeout=10)
        self._server.server_close()
