"""One call of the API without its transport: the request, the refusal, and the pause before a retry."""

import email.utils
import json
import math
import random
import re
import secrets
import time
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx

FIRST_PAUSE_SECONDS = 0.5
LONGEST_BACKOFF_SECONDS = 8.0
#: What a proxy answers while the gateway does not answer.
PROXY_STATUSES = {502, 503, 504}


@dataclass(frozen=True)
class Operation:
    """A row of the generated table."""

    method: str
    path: str
    query: tuple[str, ...] = ()
    body: Literal["none", "json", "file"] = "none"
    is_file: bool = False
    needs_key: bool = False
    is_idempotent: bool = False
    #: The list in an answer that has pages.
    page_of: str | None = None


@dataclass(frozen=True)
class FileContent:
    content: bytes
    content_type: str


@dataclass(frozen=True)
class Settings:
    url: str
    key: str | None
    retries: int
    max_pause_seconds: float
    timeout_seconds: float


class SwitchboardError(Exception):
    """A refusal of the gateway, or the lack of an answer (status 0, reason ``unreachable``)."""

    def __init__(
        self,
        message: str,
        status: int,
        reason: str,
        details: list[dict[str, str]] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        #: A reason of the API, or ``unreachable`` or ``unreadable_answer``.
        self.reason = reason
        #: With ``invalid_request``: every invalid field.
        self.details = details or []
        self.request_id = request_id
        #: Seconds to wait before a retry.
        self.retry_after = retry_after


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None
    timeout_seconds: float
    #: Whether it may be made twice.
    is_repeatable: bool


def build_request(
    settings: Settings,
    operation: Operation,
    fields: Mapping[str, Any],
    idempotency_key: str | None = None,
    wait_seconds: int | None = None,
) -> Request:
    headers: dict[str, str] = {}
    if settings.key is not None and operation.needs_key:
        headers["Authorization"] = f"Bearer {settings.key}"
    if operation.is_idempotent:
        headers["Idempotency-Key"] = idempotency_key or secrets.token_hex(16)
    if wait_seconds is not None:
        headers["Prefer"] = f"wait={wait_seconds}"
    content = None
    if operation.body == "json":
        headers["Content-Type"] = "application/json"
        content = json.dumps(_body_of(operation, fields)).encode()
    elif operation.body == "file":
        headers["Content-Type"] = fields.get("contentType", "application/octet-stream")
        content = fields["file"]
    return Request(
        method=operation.method,
        url=settings.url.rstrip("/") + _path_of(operation, fields),
        headers=headers,
        content=content,
        timeout_seconds=settings.timeout_seconds + (wait_seconds or 0),
        is_repeatable=operation.method == "GET" or operation.is_idempotent,
    )


def _path_of(operation: Operation, fields: Mapping[str, Any]) -> str:
    path = re.sub(r"\{(\w+)\}", lambda match: _segment(match[1], fields.get(match[1])), operation.path)
    query = {name: _text(fields[name]) for name in operation.query if fields.get(name) is not None}
    return f"{path}?{urllib.parse.urlencode(query)}" if query else path


def _segment(name: str, value: Any) -> str:
    """An empty segment, ``.`` or ``..`` would change the path."""
    text = "" if value is None else str(value)
    if text in ("", ".", ".."):
        details = [{"path": name, "message": "required"}]
        raise SwitchboardError(f"{name} is required", 0, "invalid_request", details)
    return urllib.parse.quote(text, safe="")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _body_of(operation: Operation, fields: Mapping[str, Any]) -> dict[str, Any]:
    """All fields that are not in the path and not in the query."""
    elsewhere = {*operation.query, *re.findall(r"\{(\w+)\}", operation.path)}
    return {name: value for name, value in fields.items() if name not in elsewhere}


def read_answer(operation: Operation, response: httpx.Response) -> Any:
    if response.status_code != 200:
        raise refusal_of(response)
    if operation.is_file:
        return FileContent(response.content, response.headers.get("content-type", ""))
    try:
        return response.json()
    except ValueError as cause:
        raise _unreadable(response) from cause


def refusal_of(response: httpx.Response) -> SwitchboardError:
    """A refusal in the form of the API; anything else comes from a proxy or another server."""
    try:
        body = response.json()
        return SwitchboardError(
            str(body["error"]),
            response.status_code,
            str(body["reason"]),
            body.get("details"),
            body.get("requestId"),
            retry_after_of(response.headers.get("retry-after")),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return _unreadable(response)


def _unreadable(response: httpx.Response) -> SwitchboardError:
    text = f"The answer (status {response.status_code}) is not from the gateway. Check its URL."
    retry_after = retry_after_of(response.headers.get("retry-after"))
    return SwitchboardError(text, response.status_code, "unreadable_answer", retry_after=retry_after)


def unreachable() -> SwitchboardError:
    return SwitchboardError("The gateway did not answer.", 0, "unreachable")


def retry_after_of(header: str | None) -> float | None:
    """Seconds, or the date that proxies may send."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]+", header):
        return int(header)
    try:
        moment = email.utils.parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0, math.ceil(moment.timestamp() - time.time()))


def pause_before_retry(
    error: SwitchboardError, attempt: int, is_repeatable: bool, max_pause_seconds: float
) -> float | None:
    """Seconds until the next attempt; None: the failure is final.

    With 429, and with 503 and ``Retry-After``, the gateway did nothing, so every call may be repeated. Without an answer only
    the calls are repeated that are safe to make twice: those that read, and those with an idempotency key.
    """
    is_refused = error.status == 429 or (error.status == 503 and error.retry_after is not None)
    is_lost = error.reason == "unreachable" or (
        error.reason == "unreadable_answer" and error.status in PROXY_STATUSES
    )
    if not is_refused and not (is_lost and is_repeatable) and error.reason != "idempotency_in_flight":
        return None
    pause = backoff(attempt) if error.retry_after is None else error.retry_after
    return None if pause > max_pause_seconds else pause


def backoff(attempt: int) -> float:
    """Doubles from half a second, and is spread so that clients which failed together do not return together."""
    longest = min(LONGEST_BACKOFF_SECONDS, FIRST_PAUSE_SECONDS * 2.0**attempt)
    return longest * random.uniform(0.5, 1)


class EventReader:
    """Takes server-sent events apart. The gateway writes each event as one line of data; comments keep the connection alive.

    Lines end with ``\\n`` only: a text may contain other characters that Python takes for the end of a line.
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[Any]:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [json.loads(line.removeprefix(b"data: ")) for line in lines if line.startswith(b"data: ")]


def is_temporary(error: SwitchboardError) -> bool:
    return error.status in (0, 429) or error.status >= 500
