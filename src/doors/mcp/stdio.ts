// Serves MCP over standard input and output, for clients that start a program: the tools of /mcp, as calls to a running gateway.
import type { Readable, Writable } from 'node:stream'
import type { AgentKey } from './server.ts'
import { APPROVALS_PAGE } from './tool.ts'

/** A key of a running gateway. */
export interface RemoteKey extends Omit<AgentKey, 'approvalsUrl'> {
  gatewayUrl: string
}

export interface AgentStreams {
  input: Readable
  /** Gets messages of the protocol and nothing else. */
  output: Writable
  /** Called with errors that are part of no answer. */
  onError(error: Error): void
}

/** Until the client closes the input. */
export async function serveAgent(remote: RemoteKey, { input, output, onError }: AgentStreams): Promise<void> {
  // Loaded here: other commands do not need them.
  const [{ StdioServerTransport, serveStdio }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./server.ts'),
  ])
  const key: AgentKey = { ...remote, approvalsUrl: remote.gatewayUrl + APPROVALS_PAGE }
  const transport = new StdioServerTransport(input, output)
  const closed = Promise.withResolvers<void>()
  serveStdio(() => createMcpServer(key), { transport, onerror: onError })
  const { onclose } = transport
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport takes no listeners
  transport.onclose = () => {
    onclose?.()
    closed.resolve()
  }
  await closed.promise
}
