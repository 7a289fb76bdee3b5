import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { SandboxProcesses } from './support/process.ts'
import type { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const BOB_JID = `${BOB}@s.whatsapp.net`
const KILLS = 2
/** Acknowledged messages in each direction before the kill. More are in flight by then. */
const BEFORE_KILL = 4

/** Sends until the sandbox is killed, and calls back with the id of each acknowledged message. */
async function clientWrites(client: Client, acknowledged: (id: string) => void): Promise<void> {
  client.socket.ws.on('CB:ack,class:message', (ack: { attrs: Record<string, string> }) => {
    if (ack.attrs['id'] && !ack.attrs['error']) acknowledged(ack.attrs['id'])
  })
  for (;;) {
    await client.socket.sendMessage(BOB_JID, { text: 'from the client' })
    // A send can finish within one turn of the event loop. Without this, acknowledgements would never be read.
    await setImmediate()
  }
}

async function phoneWrites(world: World, acknowledged: (id: string) => void): Promise<void> {
  for (;;) acknowledged(await world.send(BOB, { to: ALICE, text: 'from the phone' }))
}

test('after a kill under load, no acknowledged message is lost, and every session continues', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  const processes = new SandboxProcesses()
  t.after(async () => {
    processes.end()
    await rm(dataDir, { recursive: true, force: true })
  })
  let { child, world } = await processes.start({ DATA_DIR: dataDir })
  await world.phone(ALICE, 'Alice')
  await world.phone(BOB, 'Bob')
  // The library saves the ratchet after the send, so a message that follows a crash may need a retry.
  const getMessage = async () => ({ conversation: 'from the client' })
  const client = await new Client(world, { getMessage }).pair(ALICE)
  const fromClient: string[] = []
  const fromPhone: string[] = []
  for (let round = 0; round < KILLS; round++) {
    const enough = Promise.withResolvers<void>()
    const goal = (round + 1) * BEFORE_KILL
    const record = (ids: string[]) => (id: string) => {
      ids.push(id)
      if (fromClient.length >= goal && fromPhone.length >= goal) enough.resolve()
    }
    // The library never settles the send that was in progress when its socket died, so the test does not await it.
    void clientWrites(client, record(fromClient)).catch(() => {})
    const phoneWriting = phoneWrites(world, record(fromPhone))
    await enough.promise
    client.kill()
    child.kill('SIGKILL')
    await assert.rejects(phoneWriting)
    ;({ child, world } = await processes.start({ DATA_DIR: dataDir }))
    client.moveTo(world)
    await client.login()
  }
  const last = await world.send(BOB, { to: ALICE, text: 'the end' })
  await client.message(last)
  for (const id of fromClient) await world.shown(BOB, id)
  const shown = (await world.get(`/phones/${BOB}/messages?limit=1000`, answers.messages)).messages
  for (const id of fromClient) assert.equal(shown.filter((message) => message.id === id).length, 1)
  const queued = async () => (await world.get(`/phones/${ALICE}`, answers.phone)).phone.devices[0]?.queued
  while ((await queued()) !== 0) await new Promise((resolve) => setTimeout(resolve, 5))
  // The library may lose messages that it has acknowledged. The sandbox guarantees delivery until the acknowledgement.
  for (const id of fromPhone) {
    const frames = await world.frames(`id=${id}&number=${ALICE}`)
    const device = frames.filter((frame) => frame.device !== 0)
    assert.ok(
      device.some((frame) => frame.direction === 'out' && frame.tag === 'message'),
      id,
    )
    assert.ok(
      device.some((frame) => frame.direction === 'in' && frame.tag !== 'message'),
      id,
    )
  }
  await client.end()
})
