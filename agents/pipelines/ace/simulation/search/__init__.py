"""The searches of the reflector: small expressions, the formula among them, the house rule behind a form."""
