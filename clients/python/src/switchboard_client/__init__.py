"""The client of the Switchboard API, with and without asyncio."""

from ._async_client import AsyncClient
from ._call import FileContent, SwitchboardError
from ._client import Client
from ._verification import verify_delivery

__all__ = ["AsyncClient", "Client", "FileContent", "SwitchboardError", "verify_delivery"]
