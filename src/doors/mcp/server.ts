// The MCP server of one key: its tools, and its conversations as resources. Every tool is a call of the API with that key.
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Client, ClientError } from '../../contract/client.ts'
import type { Route } from '../../contract/route.ts'
import { API_VERSION, PRODUCT } from '../../contract/version.ts'
import { approvalAsked, askForApproval } from './ask-approval.ts'
import { WARNING } from './foreign-text.ts'
import type { Tool } from './tool.ts'
import { Sent } from './tools/fields.ts'
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
