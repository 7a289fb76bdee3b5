// `switchboard mcp`, a process that the official client starts: the tools of the key, and nothing but the protocol on standard output.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { runCli, scratchDirectory, startCli } from '../support/cli.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type Account, type Gateway, startGateway } from '../support/gateway.ts'
import { programFile } from '../support/program.ts'

const NUMBER = '5511912345678'
const GENERATIONS = { '2026': { mode: { pin: '2026-07-28' } }, '2025': { mode: 'legacy' } } as const

describe('switchboard mcp', () => {
  let gateway: Gateway
  let account: Account
  let instance: string
  let directory: string
  before(async () => {
    gateway = await startGateway(engines[0] as Engine)
    account = await gateway.account()
    instance = (await gateway.openInstance(account)).name
    directory = await scratchDirectory()
  })
  after(() => gateway.stop())
  const settings = (key: string) => ({ DATA_DIR: directory, SWITCHBOARD_URL: gateway.url, API_KEY: key })
  const keyWith = async (body: object): Promise<string> =>
    (await account.call('createApiKey', { body: { name: 'Agent', ...body } })).json.key

  for (const [generation, versionNegotiation] of Object.entries(GENERATIONS))
    test(`a client of ${generation} has the tools of its key, and sends with it`, async () => {
      const key = await keyWith({ scopes: ['send'], chats: [`${NUMBER}@s.whatsapp.net`], approval: true })
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
      const env = { PATH: process.env.PATH ?? '', ...settings(key) }
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [programFile('cli'), 'mcp'], env }),
      )
      const names = new Set((await client.listTools()).tools.map(({ name }) => name))
      assert.ok(names.has('send_text') && names.has('read_message'))
      assert.ok(names.has('list_instances') && !names.has('decide_approval') && !names.has('find_people'))
      const send = (to: string) =>
        client.callTool({ name: 'send_text', arguments: { instance, to, text: 'May I?' } })
      const { structuredContent } = await send(NUMBER)
      assert.equal((structuredContent as { status: string }).status, 'awaiting_approval')
      const refused = await send('5511900000000')
      assert.equal(refused.isError, true)
      assert.match(JSON.stringify(refused.content), /outside_walls/)
      await client.close()
    })

  test('every line on standard output is a message of the protocol, and the end of the input ends the process', async () => {
    const child = startCli(['mcp'], settings(account.key))
    const exited = once(child, 'exit')
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
    const read = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }
    child.stdin?.write(
      `this is not JSON\n${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    )
    assert.equal((await read())['id'], 1)
    child.stdin?.write(
      `{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`,
    )
    assert.equal((await read())['id'], 2)
    child.stdin?.end()
    assert.equal((await lines.next()).done, true)
    assert.deepEqual(await exited, [0, null])
  })

  test('a wrong key is an error on stderr, and nothing is on standard output', async () => {
    const { code, stdout, stderr } = await runCli(['mcp'], settings('x'.repeat(40)))
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /unauthorized/)
  })
})
