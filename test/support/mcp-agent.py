# An agent on the Python SDK of the Model Context Protocol: lists the tools of its key and sends one text, over HTTP and over a program
# that it starts, in both generations of the protocol. Reads its task as JSON from standard input, and prints what it saw as JSON.
import asyncio
import json
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


async def use(server, mode, task):
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        fields = {"instance": task["instance"], "to": task["to"], "text": "May I?"}
        sent = await client.call_tool("send_text", fields)
        refused = await client.call_tool("send_text", {**fields, "to": task["elsewhere"]})
        return {
            "tools": sorted(tool.name for tool in tools),
            "schemas": all(tool.output_schema is not None for tool in tools),
            "status": sent.structured_content["status"],
            "refused": [refused.is_error, refused.content[0].text],
        }


async def main():
    task = json.load(sys.stdin)
    headers = {"Authorization": "Bearer " + task["key"]}
    program = StdioServerParameters(command=task["command"][0], args=task["command"][1:], env=task["env"])
    seen = {}
    for mode in ["2026-07-28", "legacy"]:
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(task["url"] + "/mcp", http_client=http)
            seen["http " + mode] = await use(transport, mode, task)
        seen["stdio " + mode] = await use(program, mode, task)
    print(json.dumps(seen))


asyncio.run(main())
