import assert from 'node:assert/strict'
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from './support/client.ts'
import { MAIN, SandboxProcesses } from './support/process.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const CAROL = '5511900000003'
const BOB_JID = `${BOB}@s.whatsapp.net`

describe('the sandbox process', () => {
  let dataDir: string
  const processes = new SandboxProcesses()
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  })
  after(async () => {
    processes.end()
    await rm(dataDir, { recursive: true, force: true })
  })

  const start = (extra: Record<string, string> = {}) => processes.start({ DATA_DIR: dataDir, ...extra })

  test('after a kill and a restart, sessions continue without a new pairing, and queued messages arrive', async () => {
    const first = await start()
    const client = new Client(first.world)
    await first.world.phone(ALICE, 'Alice')
    await first.world.phone(BOB, 'Bob')
    await client.pair(ALICE)
    const group = await client.socket.groupCreate('Kept', [BOB_JID])
    const sent = await client.socket.sendMessage(BOB_JID, { text: 'before' })
    await first.world.shown(BOB, sent?.key.id ?? '')
    await client.end()
    const waiting = await first.world.send(BOB, { to: ALICE, text: 'kept for you' })
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')

    const second = await start()
    assert.equal(second.world.sandbox.rootPublicKey, first.world.sandbox.rootPublicKey)
    client.moveTo(second.world)
    await client.login()
    assert.equal((await client.message(waiting)).message?.conversation, 'kept for you')
    const again = await client.socket.sendMessage(BOB_JID, { text: 'after' })
    assert.equal((await second.world.shown(BOB, again?.key.id ?? '')).text, 'after')
    const back = await second.world.send(BOB, { to: ALICE, text: 'and back' })
    assert.equal((await client.message(back)).message?.conversation, 'and back')
    const texts = (await second.world.messages(BOB)).map((message) => message.text)
    assert.deepEqual(texts, ['before', 'kept for you', 'after', 'and back'])
    assert.equal((await client.socket.groupMetadata(group.id)).subject, 'Kept')
    await client.end()
    second.child.kill('SIGTERM')
    assert.deepEqual(await once(second.child, 'exit'), [0, null])
  })

  test('prints only its own log lines, although the Signal library prints sessions with their keys', async () => {
    const { child, lines, world } = await start()
    const client = new Client(world)
    await world.phone(CAROL, 'Carol')
    await client.pair(CAROL)
    const answer = await client.socket.sendMessage(BOB_JID, { text: 'a session' })
    await world.shown(BOB, answer?.key.id ?? '')
    await client.message(await world.send(BOB, { to: CAROL, text: 'used by both' }))
    // The phone now has to replace the session, and the library prints the old one to the console.
    for (const key of client.keys.data.keys()) if (key.startsWith('session ')) client.keys.data.delete(key)
    await client.message(await world.send(BOB, { to: CAROL, text: 'on a new one' }))
    await client.end()
    child.kill('SIGTERM')
    await once(child, 'exit')
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /"msg":"listening"/)
  })

  test('ends when its parent closes stdin, with SANDBOX_EXIT_WITH=stdin', async () => {
    const { child } = await start({ SANDBOX_EXIT_WITH: 'stdin' })
    child.stdin?.end()
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  test('ends when its parent disconnects, even before the start has finished', {
    timeout: 60_000,
  }, async (t) => {
    const env = { PATH: process.env['PATH'], PORT: '0', API_KEY: World.apiKey, SANDBOX_EXIT_WITH: 'ipc' }
    // Without the options of the test runner.
    const child = fork(MAIN, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    t.after(() => child.kill('SIGKILL'))
    child.disconnect()
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  test('names every invalid setting and exits with code 78', async () => {
    const env = { PATH: process.env['PATH'], PORT: 'many', SANDBOX_CERT_FILE: 'a.pem' }
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    assert.deepEqual(await once(child, 'exit'), [78, null])
    assert.match(text, /PORT.*SANDBOX_CERT_FILE/s)
  })

  test('--help prints every setting, and any other argument is refused with code 2', () => {
    const run = (argument: string) => spawnSync(process.execPath, [MAIN, argument], { encoding: 'utf8' })
    const help = run('--help')
    assert.equal(help.status, 0)
    for (const name of ['HOST', 'PORT', 'API_KEY', 'DATA_DIR', 'SANDBOX_CERT_FILE', 'SANDBOX_EXIT_WITH'])
      assert.match(help.stdout, new RegExp(`^ +${name} +\\w.*default: `, 'm'))
    const refused = run('--port')
    assert.deepEqual([refused.status, refused.stdout], [2, ''])
    assert.match(refused.stderr, /unexpected argument: --port/)
  })
})
