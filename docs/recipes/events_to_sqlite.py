"""Writes every event into a table of SQLite. The table is also the cursor, so a crash loses nothing and repeats nothing."""

import json
import os
import sqlite3
from pathlib import Path

from switchboard_client import Client

client = Client(
    os.environ.get("SWITCHBOARD_URL", "http://127.0.0.1:8080"),
    os.environ.get("API_KEY") or Path("data/first-api-key").read_text().strip(),
)
table = sqlite3.connect(os.environ.get("DATABASE", "events.db"), isolation_level=None)
table.execute("pragma journal_mode = wal")
table.execute(
    """create table if not exists events (
        position integer primary key,
        id text not null unique,
        event text not null,
        instance text not null,
        at text not null,
        data text not null
    )"""
)

# The first start takes the whole log, which has the events of the last 14 days.
newest = table.execute("select id from events order by position desc limit 1").fetchone()
print("Events are written to the table.", flush=True)
for event in client.events(after=newest[0] if newest else "start"):
    instance = event["instance"]["apiInstanceName"]
    table.execute(
        "insert or ignore into events (id, event, instance, at, data) values (?, ?, ?, ?, ?)",
        (event["id"], event["event"], instance, event["timestamp"], json.dumps(event["data"])),
    )
