"""Reads a message by forms: every word of it is accounted for, or the message is not read at all."""
