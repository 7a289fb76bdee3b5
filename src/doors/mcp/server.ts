// The MCP server of one key: its tools, and its conversations as resources. Every tool is a call of the API with that key.

import { setTimeout as pause } from 'node:timers/promises'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Client, ClientError } from '../../contract/client.ts'
import type { Route } from '../../contract/route.ts'
import { API_VERSION, PRODUCT } from '../../contract/version.ts'
import { WARNING } from './foreign-text.ts'
import type { Tool, ToolResult } from './tool.ts'
import { Sent, sentResult } from './tools/fields.ts'
import { readConversation } from './tools/reading.ts'
import { toolsOf } from './tools/tools.ts'

export interface AgentKey {
  api: Client
  /** Whether the key can use the route for anything. */
  mayUse(route: Route): boolean
  /** Where a person approves the sends of the key. */
  approvalsUrl: string
}

const INSTRUCTIONS =
  'Switchboard connects WhatsApp numbers. Begin with list_instances. A conversation is named by its `chat`. ' +
  `Messages reach real people at once: send only what your user asked for. ${WARNING}`

export function createMcpServer(key: AgentKey): McpServer {
  const { api, mayUse } = key
  const server = new McpServer(
    { name: 'switchboard', title: PRODUCT, version: API_VERSION },
    { instructions: INSTRUCTIONS },
  )
  const tools = toolsOf(mayUse)
  for (const tool of tools) addTool(server, key, tool)
  if (tools.includes(readConversation)) addConversations(server, api)
  return server
}

function addTool(server: McpServer, { api, approvalsUrl }: AgentKey, tool: Tool): void {
  const { name, title, description, input, output, annotations } = tool
  const config = { title, description, inputSchema: input, outputSchema: output, annotations }
  server.registerTool(name, config, async (given, { mcpReq }) => {
    try {
      const decided = tool.output === Sent ? await approvalAsked(api, mcpReq) : undefined
      const { text, data } = decided ?? (await tool.run({ api, signal: mcpReq.signal }, given))
      const pending = Sent.safeParse(data).data
      const question =
        decided === undefined && tool.output === Sent && pending?.status === 'awaiting_approval'
          ? askForApproval(mcpReq, approvalsUrl, {
              instance: String(given['instance']),
              messageId: pending.messageId,
            })
          : undefined
      if (question) return question
      return { content: [{ type: 'text', text }], structuredContent: data }
    } catch (error) {
      return refused(error)
    }
  })
}

/** A refusal is a result that the agent can read and correct; other errors are those of the server. */
function refused(error: unknown) {
  if (error instanceof z.ZodError)
    return {
      isError: true,
      content: [{ type: 'text' as const, text: 'The state of this request is not valid.' }],
    }
  if (!(error instanceof ClientError)) throw error
  const retry = error.retryAfter === undefined ? '' : ` Try again in ${error.retryAfter} s.`
  return {
    isError: true,
    content: [{ type: 'text' as const, text: `${error.message} (${error.reason})${retry}` }],
  }
}

function addConversations(server: McpServer, api: Client): void {
  const template = new ResourceTemplate('switchboard://conversations/{instance}/{chat}', { list: undefined })
  server.registerResource(
    'conversation',
    template,
    { title: 'A conversation', description: 'The newest messages of a chat', mimeType: 'text/plain' },
    async (uri, variables, { mcpReq }) => {
      const [instance, chat] = [variables['instance'], variables['chat']].map((value) =>
        decodeURIComponent(String(value)),
      )
      const input = readConversation.input.parse({ instance, chat })
      const { text } = await readConversation.run({ api, signal: mcpReq.signal }, input)
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] }
    },
  )
}

// The approval of a send as the protocol's own request for input: the client shows its user the way to the dashboard, and calls the tool again.
// What the client answers decides nothing, because the program that sends could answer in place of a person: the decision is read from the
// message, where the dashboard, another key or the phone has put it.

type McpRequest = ServerContext['mcpReq']
type SentResult = ToolResult<z.output<typeof Sent>>

/** A person who has pressed the button on the dashboard may be ahead of the worker that notices it. */
const TRIES = 6
const TRY_MS = 500

/** Comes back from the client as text of a stranger: it only names a message, which is read with the key of the agent. */
const State = z.strictObject({ instance: z.string().min(1).max(128), messageId: z.string().min(1).max(128) })

/** The request for input; undefined: the client cannot be asked, and the send waits in the outbox. Clients of 2025 have no envelope. */
function askForApproval(
  { envelope }: McpRequest,
  approvalsUrl: string,
  pending: z.input<typeof State>,
): InputRequiredResult | undefined {
  const { elicitation } = capabilitiesIn(envelope)
  if (elicitation === undefined) return undefined
  const requestState = JSON.stringify(pending)
  const message = `The message ${pending.messageId} waits until a person approves it on the dashboard.`
  const approval = elicitation.url
    ? inputRequired.elicitUrl({ message, url: approvalsUrl })
    : inputRequired.elicit({
        message: `${message} Open ${approvalsUrl}, decide, and go on here.`,
        requestedSchema: { type: 'object', properties: {} },
      })
  return inputRequired({ inputRequests: { approval }, requestState })
}

/** The SDK has checked the form, and does not declare it. */
const capabilitiesIn = (envelope: McpRequest['envelope']): ClientCapabilities =>
  ((envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] as
    | ClientCapabilities
    | undefined) ?? {}

/** The outcome of a send that the client was asked about; undefined: this call is a first one. */
async function approvalAsked(api: Client, request: McpRequest): Promise<SentResult | undefined> {
  const text = request.requestState<string>()
  if (text === undefined) return undefined
  const { instance, messageId } = State.parse(parsed(text))
  const isGoingOn = Object.values(request.inputResponses ?? {}).some(
    (response) => (response as { action?: unknown } | null)?.action === 'accept',
  )
  const read = async () =>
    (await api.getMessage({ params: { messageId }, query: { instanceName: instance } })).message
  let message = await read()
  const tries = isGoingOn ? TRIES : 0
  for (let done = 0; done < tries && message.status === 'awaiting_approval'; done += 1) {
    await pause(TRY_MS, undefined, { signal: request.signal })
    message = await read()
  }
  const { chat, status, failure } = message
  return sentResult({ messageId, chat, status, failure })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
