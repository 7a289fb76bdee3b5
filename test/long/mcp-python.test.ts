// Agents on the Python SDK of the Model Context Protocol. It is not part of Debian: TEST_MCP_PYTHON names an interpreter that has it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratchDirectory } from '../support/cli.ts'
import { root, runProgram } from '../support/client-programs.ts'
import { type Engine, engines } from '../support/engines.ts'
import { startGateway } from '../support/gateway.ts'
import { programFile } from '../support/program.ts'

const NUMBER = '5511912345678'
const command = process.env.TEST_MCP_PYTHON
const skip = command === undefined ? 'TEST_MCP_PYTHON is not set' : false

interface Seen {
  tools: string[]
  schemas: boolean
  status: string
  refused: [boolean, string]
}

test('the Python SDK has the tools of its key over HTTP and standard input, in both generations', {
  skip,
}, async (t) => {
  const gateway = await startGateway(engines[0] as Engine)
  t.after(() => gateway.stop())
  const account = await gateway.account()
  const instance = (await gateway.openInstance(account)).name
  const body = { name: 'Agent', scopes: ['send'], chats: [`${NUMBER}@s.whatsapp.net`], approval: true }
  const { key } = (await account.call('createApiKey', { body })).json
  const environment = { DATA_DIR: await scratchDirectory(), SWITCHBOARD_URL: gateway.url, API_KEY: key }
  const task = {
    url: gateway.url,
    key,
    instance,
    to: NUMBER,
    elsewhere: '5511900000000',
    command: [process.execPath, programFile('cli'), 'mcp'],
    env: { PATH: process.env.PATH ?? '', ...environment },
  }
  const interpreter = { command: command ?? '', directory: root, environment: {} }
  const program = [join(root, 'test/support/mcp-agent.py')]
  const seen = JSON.parse(await runProgram(interpreter, program, JSON.stringify(task))) as Record<
    string,
    Seen
  >
  assert.deepEqual(Object.keys(seen), ['http 2026-07-28', 'stdio 2026-07-28', 'http legacy', 'stdio legacy'])
  for (const [way, { tools, schemas, status, refused }] of Object.entries(seen)) {
    assert.ok(tools.includes('send_text') && !tools.includes('decide_approval'), way)
    assert.deepEqual([schemas, status, refused[0]], [true, 'awaiting_approval', true], way)
    assert.match(refused[1], /outside_walls/, way)
  }
})
