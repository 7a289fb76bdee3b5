"""The client for programs without asyncio."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self

import httpx

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
from ._calls import Calls
from ._operations import OPERATIONS
from .types import Event, EventName

#: The gateway writes to an idle stream every 15 seconds: after this silence the connection is dead.
SILENCE_SECONDS = 45
#: How often an empty log is read. It has no event yet after which a stream could start.
EMPTY_LOG_SECONDS = 1


class Client(Calls):
    """Calls of a gateway. One client can be used by several threads."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        retries: int = 4,
        max_pause_seconds: float = 60,
        timeout_seconds: float = 30,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings = Settings(url, key, retries, max_pause_seconds, timeout_seconds)
        self._http = http or httpx.Client()
        self._sleep = sleep

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def events(
        self,
        *,
        instanceName: str | None = None,
        events: Sequence[EventName] = (),
        after: str | None = None,
    ) -> Iterator[Event]:
        """Follows the event log, through restarts of the gateway.

        Store the id of each event once it is processed, and pass it as ``after`` at the next start. ``after="start"``
        follows the whole log. Without ``after``, only events from now on are followed.
        """
        fields: dict[str, Any] = {"instanceName": instanceName, "events": ",".join(events) or None}
        is_started, cursor, failures = after is not None, None if after == "start" else after, 0
        while True:
            try:
                if not is_started:
                    cursor = self._call("list_events", {"before": "end", "limit": 1})["next"]
                    is_started = True
                while cursor is None:
                    page = self._call("list_events", fields)
                    yield from page["events"]
                    cursor = page["next"]
                    if cursor is None:
                        self._sleep(EMPTY_LOG_SECONDS)
                for event in self._stream({**fields, "after": cursor}):
                    cursor, failures = event["id"], 0
                    yield event
                # The gateway ends streams when it stops.
                self._sleep(backoff(0))
            except SwitchboardError as error:
                if not is_temporary(error):
                    raise
                self._sleep(backoff(failures))
                failures += 1

    def _stream(self, fields: dict[str, Any]) -> Iterator[Event]:
        request = build_request(self._settings, OPERATIONS["stream_events"], fields)
        timeout = httpx.Timeout(request.timeout_seconds, read=SILENCE_SECONDS)
        try:
            with self._http.stream(
                request.method, request.url, headers=request.headers, timeout=timeout
            ) as response:
                if response.status_code != 200:
                    response.read()
                    raise refusal_of(response)
                reader = EventReader()
                for chunk in response.iter_bytes():
                    yield from reader.feed(chunk)
        except httpx.HTTPError as cause:
            raise unreachable() from cause

    def _pages(self, name: str, fields: Mapping[str, Any]) -> Iterator[Any]:
        page = int(fields.get("page", 1))
        while True:
            answer = self._call(name, {**fields, "page": page})
            yield from answer[OPERATIONS[name].page_of]
            if not answer["hasMore"]:
                return
            page += 1

    def _call(
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
                response = self._http.request(
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
            self._sleep(pause)
            attempt += 1
