"""Verifies the signature of a delivery."""

import hashlib
import hmac
import re
import time
from collections.abc import Mapping

#: Limits replay attacks: a delivery with an older or newer timestamp is refused.
TOLERANCE_SECONDS = 5 * 60


def verify_delivery(
    body: bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> bool:
    """True only for a delivery that was recently signed with this secret.

    ``body`` is the raw body, not parsed and serialized again. ``headers`` may have any case. During a rotation the gateway
    signs with both secrets, so the old one works until the overlap ends. Signatures are compared in constant time.
    """
    found = {name.lower(): value for name, value in headers.items()}
    timestamp = found.get("x-service-timestamp", "")
    if not secret or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        return False
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    names = ("x-service-signature", "x-service-signature-previous")
    return any(hmac.compare_digest(found.get(name, "").encode(), expected.encode()) for name in names)
