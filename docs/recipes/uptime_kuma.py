"""Receives the webhook of Uptime Kuma, and sends each change of a monitor to the people on call."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from switchboard_client import Client, SwitchboardError

client = Client(
    os.environ.get("SWITCHBOARD_URL", "http://127.0.0.1:8080"),
    os.environ.get("API_KEY") or Path("data/first-api-key").read_text().strip(),
)
ON_CALL = os.environ["ON_CALL"].split(",")
SIGNS = {0: "🔴", 1: "🟢", 2: "🟡", 3: "🔧"}
MAX_BYTES = 64 * 1024


def find_instance() -> str:
    """The instance that ``INSTANCE`` names; otherwise the first one that is connected."""
    if "INSTANCE" in os.environ:
        return os.environ["INSTANCE"]
    connected = [each for each in client.list_instances()["instances"] if each["isConnected"]]
    if not connected:
        raise SystemExit("No instance is connected. Link one first.")
    return connected[0]["apiInstanceName"]


def message_of(alert: dict[str, Any]) -> tuple[str, str | None]:
    """The text, and what tells this change of the monitor apart. A test from the settings of Uptime Kuma has only ``msg``."""
    heartbeat, monitor = alert.get("heartbeat"), alert.get("monitor")
    if not heartbeat or not monitor:
        return str(alert.get("msg", "Test of Uptime Kuma")), None
    sign = SIGNS.get(heartbeat["status"], "⚪")
    lines = [f"{sign} *{monitor['name']}*", heartbeat.get("msg"), monitor.get("url")]
    identity = f"kuma {heartbeat['monitorID']} {heartbeat['time']} {heartbeat['status']}"
    return "\n".join(line for line in lines if line), identity


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BYTES:
            return self.send_error(413)
        try:
            text, identity = message_of(json.loads(self.rfile.read(length)))
        except (ValueError, KeyError, TypeError, AttributeError):
            return self.send_error(400)
        try:
            for number in ON_CALL:
                key = f"{identity} {number}" if identity else None
                client.send_text(instanceName=instance, number=number, message=text, delay=0, idempotency_key=key)
        except SwitchboardError as error:
            # Uptime Kuma logs the failure.
            return self.send_error(502, error.reason)
        self.send_response(204)
        self.end_headers()


instance = find_instance()
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3001"))), Receiver)
print(f"Alerts are taken at http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
