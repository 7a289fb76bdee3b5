"""What test/long/client-python.test.ts asks of the client: reads a task as JSON, writes a report as JSON."""

import asyncio
import itertools
import json
import sys
from typing import Any

from switchboard_client import AsyncClient, Client, SwitchboardError


def key_of(text: str) -> str:
    """Idempotency keys are ASCII."""
    return f"key of {text.encode().hex()}"


def on_gateway(task: dict[str, Any]) -> dict[str, Any]:
    with Client(task["url"], task["key"]) as client:
        line = task["instanceName"]
        number: str = task["number"]
        cursor = client.list_events(before="end", limit=1)["next"]
        sends = [
            client.send_text(
                instanceName=line,
                number=number,
                message=text,
                delay=0,
                wait_seconds=60,
                idempotency_key=key_of(text),
            )
            for text in task["texts"]
        ]
        first: str = task["texts"][0]
        again = client.send_text(
            instanceName=line, number=number, message=first, delay=0, idempotency_key=key_of(first)
        )
        uploaded = client.upload_media(file=b"The bytes of the file", contentType="text/plain", fileName="a.txt")
        sent_file = client.send_media(
            instanceName=line,
            number=number,
            mediaId=uploaded["mediaId"],
            type="document",
            delay=0,
            wait_seconds=60,
        )
        content = client.get_message_media(messageId=sent_file["messageId"])
        listed = [
            message["messageId"]
            for message in client.iter_messages(instanceName=line, direction="outgoing", limit=2)
        ]
        followed: list[str | None] = []
        for event in client.events(after=cursor, events=["messages.upsert"]):
            if event["event"] == "messages.upsert":
                followed.append(event["data"]["text"])
            if len(followed) == len(task["texts"]):
                break
        refused = failure_of(lambda: client.send_text(instanceName=line, number="x", message="Hello"))
    return {
        "statuses": [send["status"] for send in sends],
        "sent": [send["messageId"] for send in sends],
        "sentAgain": [again["messageId"]],
        "listed": listed,
        "followed": followed,
        "downloaded": content.content.decode(),
        "refusal": {"status": refused.status, "reason": refused.reason, "path": refused.details[0]["path"]},
    }


def on_stub(task: dict[str, Any]) -> dict[str, Any]:
    pauses: list[float] = []
    client = Client(task["stubUrl"], "k", sleep=pauses.append)
    sent = client.send_text(instanceName="a", number="1", message="Hello")
    during = list(pauses)
    lost = failure_of(lambda: client.create_instance(instanceName="a"))
    listed = client.list_instances()["count"]
    pauses.clear()
    too_long = failure_of(client.account_limits)
    pauses_of_too_long = len(pauses)
    empty = Client(f"{task['stubUrl']}/empty", "k", sleep=pauses.append)
    return {
        "messageId": sent["messageId"],
        "pauses": during,
        "lostPost": lost.reason,
        "listed": listed,
        "tooLong": {
            "status": too_long.status,
            "retryAfter": too_long.retry_after,
            "pauses": pauses_of_too_long,
        },
        "events": [event["id"] for event in itertools.islice(client.events(), 2)],
        "eventsAfterEmpty": [next(empty.events())["id"]],
    }


def failure_of(work: Any) -> SwitchboardError:
    try:
        work()
    except SwitchboardError as error:
        return error
    raise AssertionError("it succeeded")


async def on_gateway_async(task: dict[str, Any]) -> dict[str, Any]:
    async with AsyncClient(task["url"], task["key"]) as client:
        line = task["instanceName"]
        number: str = task["number"]
        cursor = (await client.list_events(before="end", limit=1))["next"]
        sends = [
            await client.send_text(
                instanceName=line,
                number=number,
                message=text,
                delay=0,
                wait_seconds=60,
                idempotency_key=key_of(text),
            )
            for text in task["texts"]
        ]
        first: str = task["texts"][0]
        again = await client.send_text(
            instanceName=line, number=number, message=first, delay=0, idempotency_key=key_of(first)
        )
        uploaded = await client.upload_media(
            file=b"The bytes of the file", contentType="text/plain", fileName="a.txt"
        )
        sent_file = await client.send_media(
            instanceName=line,
            number=number,
            mediaId=uploaded["mediaId"],
            type="document",
            delay=0,
            wait_seconds=60,
        )
        content = await client.get_message_media(messageId=sent_file["messageId"])
        pages = client.iter_messages(instanceName=line, direction="outgoing", limit=2)
        listed = [message["messageId"] async for message in pages]
        followed: list[str | None] = []
        async for event in client.events(after=cursor, events=["messages.upsert"]):
            if event["event"] == "messages.upsert":
                followed.append(event["data"]["text"])
            if len(followed) == len(task["texts"]):
                break
        refused = await failure_of_async(client.send_text(instanceName=line, number="x", message="Hello"))
    return {
        "statuses": [send["status"] for send in sends],
        "sent": [send["messageId"] for send in sends],
        "sentAgain": [again["messageId"]],
        "listed": listed,
        "followed": followed,
        "downloaded": content.content.decode(),
        "refusal": {"status": refused.status, "reason": refused.reason, "path": refused.details[0]["path"]},
    }


async def on_stub_async(task: dict[str, Any]) -> dict[str, Any]:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    client = AsyncClient(task["stubUrl"], "k", sleep=sleep)
    sent = await client.send_text(instanceName="a", number="1", message="Hello")
    during = list(pauses)
    lost = await failure_of_async(client.create_instance(instanceName="a"))
    listed = (await client.list_instances())["count"]
    pauses.clear()
    too_long = await failure_of_async(client.account_limits())
    pauses_of_too_long = len(pauses)
    ids: list[str] = []
    async for event in client.events():
        ids.append(event["id"])
        if len(ids) == 2:
            break
    await client.close()
    async with AsyncClient(f"{task['stubUrl']}/empty", "k", sleep=sleep) as empty:
        first_of_empty = await anext(empty.events())
    return {
        "messageId": sent["messageId"],
        "pauses": during,
        "lostPost": lost.reason,
        "listed": listed,
        "tooLong": {
            "status": too_long.status,
            "retryAfter": too_long.retry_after,
            "pauses": pauses_of_too_long,
        },
        "events": ids,
        "eventsAfterEmpty": [first_of_empty["id"]],
    }


async def failure_of_async(work: Any) -> SwitchboardError:
    try:
        await work
    except SwitchboardError as error:
        return error
    raise AssertionError("it succeeded")


async def run_async(task: dict[str, Any]) -> dict[str, Any]:
    return {**await on_gateway_async(task), "stub": await on_stub_async(task)}


def run(task: dict[str, Any]) -> dict[str, Any]:
    return {**on_gateway(task), "stub": on_stub(task)}


given = json.load(sys.stdin)
print(json.dumps(asyncio.run(run_async(given)) if "--async" in sys.argv else run(given)))
