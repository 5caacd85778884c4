"""Backups: one file with a database and the folders beside it, written while they are in use, and verified when restored."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.storage.backup.manifest import Manifest
    from agents.storage.backup.restore import restore_backup
    from agents.storage.backup.write import write_backup

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
