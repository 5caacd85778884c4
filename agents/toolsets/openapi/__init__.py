"""An API that an OpenAPI description names: each of its operations is a tool."""
