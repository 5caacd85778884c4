"""Background runs: start, stop, watch, and mark those that a killed process left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.access.limits import LIMIT_NAMES as LIMIT_NAMES
    from agents.access.limits import read_limits as read_limits
    from agents.config import MAX_FILE_BYTES as MAX_FILE_BYTES
    from agents.config import MAX_FILES as MAX_FILES
    from agents.config import allowed_hosts as allowed_hosts
    from agents.config import api_origins as api_origins
    from agents.config import base_path as base_path
    from agents.config import expanded as expanded
    from agents.config import files_folder as files_folder
    from agents.config import limits_file as limits_file
    from agents.config import new_role as new_role
    from agents.config import openid_settings as openid_settings
    from agents.config import trusted_proxy as trusted_proxy
    from agents.config import use_data_folder as use_data_folder
    from agents.config import use_limits_file as use_limits_file
    from agents.config import use_mcp_file as use_mcp_file
    from agents.config import use_users_file as use_users_file
    from agents.config import users_file as users_file
    from agents.pipeline import Answering as Answering
    from agents.pipeline import answering as answering
    from agents.plugins.client_request import ClientFunction as ClientFunction
    from agents.plugins.client_request import ClientRequest as ClientRequest
    from agents.runs.collection.desk import CleanUp as CleanUp
    from agents.runs.collection.desk import CollectionDesk as CollectionDesk
    from agents.runs.limits.use_desk import Use as Use
    from agents.runs.limits.use_desk import UseDesk as UseDesk
    from agents.runs.limits.use_desk import in_words as in_words
    from agents.runs.manager import RunManager as RunManager
    from agents.runs.pending_calls import option_of as option_of
    from agents.runs.pending_calls import options_of as options_of
    from agents.runs.recordings.provenance import Provenance as Provenance
    from agents.runs.values import ListChanges as ListChanges
    from agents.runs.values import LogBatch as LogBatch
    from agents.runs.values import LostRun as LostRun
    from agents.runs.values import Partial as Partial
    from agents.runs.values import PendingCall as PendingCall
    from agents.runs.values import Run as Run
    from agents.runs.values import Waiting as Waiting
    from agents.storage.address import Database as Database
    from agents.storage.address import PostgresAddress as PostgresAddress
    from agents.storage.address import check_database as check_database
    from agents.storage.address import default_database as default_database
    from agents.storage.address import folder_beside as folder_beside
    from agents.storage.address import is_stored as is_stored
    from agents.storage.address import parse_database as parse_database
    from agents.storage.collection import LONGEST_TAG as LONGEST_TAG
    from agents.storage.collection import SearchResult as SearchResult
    from agents.storage.collection import as_tag as as_tag
    from agents.storage.given_file import decoded as decoded
    from agents.storage.paths import folder_problem as folder_problem
    from agents.storage.preferences import SIMULATED as SIMULATED
    from agents.storage.preferences import Preferences as Preferences
    from agents.storage.stores import open_store as open_store

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
