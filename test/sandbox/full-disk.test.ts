// A full disk: calls answer with 507, only stored messages are acknowledged, and everything works again when there is space.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { Database } from '../../sandbox/store/database.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { MAIN } from './support/process.ts'
import { World } from './support/world.ts'

const ALICE = '5511911110001'
const BOB = '5511911110002'
const CAROL = '5511911110003'
/** Takes many pages, so that few messages fill the disk. */
const LONG = 'x'.repeat(60_000)
const MAX_SENDS = 100

/** Sends to Bob until the disk is full, and returns the ids of the accepted messages. */
async function fill(world: World): Promise<string[]> {
  const accepted: string[] = []
  for (let count = 0; count < MAX_SENDS; count += 1) {
    const { status, body } = await world.ask('POST', `/phones/${ALICE}/send`, { to: BOB, text: LONG })
    if (status !== 200) {
      assert.deepEqual([status, body['reason']], [507, 'storage_full'])
      return accepted
    }
    accepted.push(String(body['messageId']))
  }
  return assert.fail('the disk did not fill')
}

const numbersIn = async (world: World) =>
  (await world.get('/phones', answers.phones)).phones.map(({ number }) => number).sort()

test('with a full database, accepted messages are delivered later and refused calls have no effect', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  let database: Database | undefined
  const wrapDatabase = (opened: Database) => (database = opened)
  const world = await World.start({ dataDir, wrapDatabase })
  /** SQLite refuses to grow beyond this many pages, with the error for a full disk. */
  const allowPages = (count: number) => database?.rows(`PRAGMA max_page_count = ${count}`)
  t.after(async () => {
    await world.sandbox.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  await world.phone(ALICE, 'Alice')
  await world.phone(BOB, 'Bob')
  const client = new Client(world)
  t.after(() => client.end())
  await client.pair(ALICE)

  allowPages(1)
  const accepted = await fill(world)
  const { status, body } = await world.ask('POST', '/phones', { number: CAROL, name: 'C'.repeat(100) })
  const isCreated = status === 200
  if (!isCreated) assert.equal(body['reason'], 'storage_full')
  assert.deepEqual(await numbersIn(world), isCreated ? [ALICE, BOB, CAROL] : [ALICE, BOB])
  const messageId = '3EB0F0F0F0F0F0F0F0F0'
  void client.socket
    .sendMessage(`${BOB}@s.whatsapp.net`, { text: LONG }, { messageId })
    .catch(() => undefined)
  await client.closed()
  const acked = (await world.frames(`id=${messageId}`)).filter(({ tag }) => tag === 'ack')
  assert.deepEqual(acked, [], 'a message that was not stored is not acknowledged')

  allowPages(1_000_000)
  for (const id of accepted) assert.equal((await world.shown(BOB, id)).text, LONG)
  await client.login()
  const again = await client.socket.sendMessage(`${BOB}@s.whatsapp.net`, { text: 'after all' })
  assert.equal((await world.shown(BOB, again?.key.id ?? '')).text, 'after all')
  await world.phone(CAROL, 'Carol')
  const sent = await world.send(CAROL, { to: BOB, text: 'still here' })
  assert.equal((await world.shown(BOB, sent)).text, 'still here')
})

const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

test('a full disk does not end the process', {
  skip: canMount ? false : 'mounting is not permitted here',
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  const script = `mount -t tmpfs -o size=6m none "${dataDir}" && exec "${process.execPath}" "${MAIN}"`
  const child = spawn('unshare', ['-Urm', 'sh', '-c', script], {
    env: { PATH: process.env['PATH'], PORT: '0', API_KEY: World.apiKey, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const ready = JSON.parse((await lines.next()).value as string) as Omit<World['sandbox'], 'stop'>
    const world = new World({ ...ready, stop: async () => {} })
    await world.phone(ALICE, 'Alice')
    await world.phone(BOB, 'Bob')
    const upload = () =>
      fetch(`${ready.url}/sandbox/v1/phones/${ALICE}/media?to=${BOB}&type=document`, {
        method: 'POST',
        headers: { authorization: `Bearer ${World.apiKey}` },
        body: new Uint8Array(1_000_000),
      })
    const ballast = join(`/proc/${child.pid}/root`, dataDir, 'ballast')
    await writeFile(ballast, Buffer.alloc(8_000_000)).catch((error: NodeJS.ErrnoException) =>
      assert.equal(error.code, 'ENOSPC'),
    )
    const accepted = await fill(world)
    assert.equal((await upload()).status, 507)
    await rm(ballast)
    for (const id of accepted) assert.equal((await world.shown(BOB, id)).text, LONG)
    assert.equal((await upload()).status, 200)
    assert.equal(child.exitCode, null)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  } finally {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true })
  }
})
