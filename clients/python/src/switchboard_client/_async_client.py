"""The client for programs with asyncio."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Self

import httpx

from ._async_calls import AsyncCalls
from ._call import (
    EventReader,
    Settings,
    SwitchboardError,
    backoff,
    build_request,
    is_temporary,
    pause_before_retry,
    read_answer,
    refusal_of,
    unreachable,
)
from ._operations import OPERATIONS
from ._client import EMPTY_LOG_SECONDS, SILENCE_SECONDS
from .types import Event, EventName


class AsyncClient(AsyncCalls):
    """Calls of a gateway, to be awaited."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        retries: int = 4,
        max_pause_seconds: float = 60,
        timeout_seconds: float = 30,
        http: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._settings = Settings(url, key, retries, max_pause_seconds, timeout_seconds)
        self._http = http or httpx.AsyncClient()
        self._sleep = sleep

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def events(
        self,
        *,
        instanceName: str | None = None,
        events: Sequence[EventName] = (),
        after: str | None = None,
    ) -> AsyncIterator[Event]:
        """Follows the event log, through restarts of the gateway.

        Store the id of each event once it is processed, and pass it as ``after`` at the next start. ``after="start"``
        follows the whole log. Without ``after``, only events from now on are followed.
        """
        fields: dict[str, Any] = {"instanceName": instanceName, "events": ",".join(events) or None}
        is_started, cursor, failures = after is not None, None if after == "start" else after, 0
        while True:
            try:
                if not is_started:
                    cursor = (await self._call("list_events", {"before": "end", "limit": 1}))["next"]
                    is_started = True
                while cursor is None:
                    page = await self._call("list_events", fields)
                    for event in page["events"]:
                        yield event
                    cursor = page["next"]
                    if cursor is None:
                        await self._sleep(EMPTY_LOG_SECONDS)
                async for event in self._stream({**fields, "after": cursor}):
                    cursor, failures = event["id"], 0
                    yield event
                # The gateway ends streams when it stops.
                await self._sleep(backoff(0))
            except SwitchboardError as error:
                if not is_temporary(error):
                    raise
                await self._sleep(backoff(failures))
                failures += 1

    async def _stream(self, fields: dict[str, Any]) -> AsyncIterator[Event]:
        request = build_request(self._settings, OPERATIONS["stream_events"], fields)
        timeout = httpx.Timeout(request.timeout_seconds, read=SILENCE_SECONDS)
        try:
            async with self._http.stream(
                request.method, request.url, headers=request.headers, timeout=timeout
            ) as response:
                if response.status_code != 200:
                    await response.aread()
                    raise refusal_of(response)
                reader = EventReader()
                async for chunk in response.aiter_bytes():
                    for event in reader.feed(chunk):
                        yield event
        except httpx.HTTPError as cause:
            raise unreachable() from cause

    async def _pages(self, name: str, fields: Mapping[str, Any]) -> AsyncIterator[Any]:
        page = int(fields.get("page", 1))
        while True:
            answer = await self._call(name, {**fields, "page": page})
            for item in answer[OPERATIONS[name].page_of]:
                yield item
            if not answer["hasMore"]:
                return
            page += 1

    async def _call(
        self,
        name: str,
        fields: Mapping[str, Any],
        idempotency_key: str | None = None,
        wait_seconds: int | None = None,
    ) -> Any:
        operation = OPERATIONS[name]
        request = build_request(self._settings, operation, fields, idempotency_key, wait_seconds)
        attempt = 0
        while True:
            try:
                response = await self._http.request(
                    request.method,
                    request.url,
                    headers=request.headers,
                    content=request.content,
                    timeout=request.timeout_seconds,
                    follow_redirects=False,
                )
                return read_answer(operation, response)
            except httpx.HTTPError as cause:
                error = unreachable()
                error.__cause__ = cause
            except SwitchboardError as refusal:
                error = refusal
            pause = pause_before_retry(error, attempt, request.is_repeatable, self._settings.max_pause_seconds)
            if pause is None or attempt >= self._settings.retries:
                raise error
            await self._sleep(pause)
            attempt += 1
