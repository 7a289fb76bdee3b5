// `mcp`: the tools for agents over standard input and output.
import { mayCall } from '../../contract/wall-values.ts'
import { serveAgent } from '../mcp/stdio.ts'
import { command, SERVER_OPTIONS } from './command.ts'
import { escapeControls } from './print.ts'

export const mcp = command({
  name: 'mcp',
  summary: 'Serve the tools for AI agents (MCP) on standard input and output',
  description: `For clients that start a program instead of calling /mcp of a running server. The tools are those of the key, and act through the
server. The output contains only messages of the protocol; errors are on stderr. It ends when the client closes the input.`,
  parameters: [],
  options: SERVER_OPTIONS,
  async run(context) {
    const api = await context.account()
    const { apiKey } = await api.currentApiKey()
    const key = { scopes: apiKey.scopes, walls: apiKey }
    const { input, output, notes } = context.streams
    await serveAgent(
      { api, mayUse: (route) => mayCall(key, route), gatewayUrl: context.serverUrl() },
      {
        input,
        output,
        onError: ({ message }) => void notes.write(`switchboard: ${escapeControls(message)}\n`),
      },
    )
    return undefined
  },
})
