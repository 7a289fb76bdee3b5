"""Answers every text with the same text. Started again after a stop or a crash, it goes on where it was and answers nothing twice."""

import os
from pathlib import Path

from switchboard_client import Client

client = Client(
    os.environ.get("SWITCHBOARD_URL", "http://127.0.0.1:8080"),
    os.environ.get("API_KEY") or Path("data/first-api-key").read_text().strip(),
)
cursor = Path(os.environ.get("CURSOR", "echo-bot.cursor"))

# The id of the last event that was answered; at the first start, of the newest event.
after = cursor.read_text() if cursor.exists() else client.list_events(before="end", limit=1)["next"]
print("The echo bot waits for messages.", flush=True)
for event in client.events(after=after, events=["messages.upsert"]):
    if event["event"] != "messages.upsert":
        continue
    message = event["data"]
    is_group = message["chat"].endswith("@g.us")
    if message["direction"] == "incoming" and message["text"] and not is_group and not message.get("historical"):
        client.send_text(
            instanceName=event["instance"]["apiInstanceName"],
            chat=message["chat"],
            message=message["text"],
            quotedMessageId=message["messageId"],
            idempotency_key=f"echo {event['id']}",
        )
    cursor.with_suffix(".new").write_text(event["id"])
    cursor.with_suffix(".new").replace(cursor)
