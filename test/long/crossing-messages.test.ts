// Fresh accounts that write to each other at the same moment start sessions in both directions at once. Nothing is lost or doubled,
// between two gateways and between a gateway and a phone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Answer } from '../support/gateway.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

const [ANA, BOB, CAROL] = ['5511966660001', '5511966660002', '5511966660003'] as const
const COUNT = 100

interface Line extends PairedInstance {
  gateway: SandboxWorld
}

describe('messages that cross', () => {
  let sandbox: SandboxWorld
  let other: SandboxWorld
  let ana: Line
  let bob: Line
  before(async () => {
    sandbox = await startSandboxWorld()
    other = await startSandboxWorld(sandbox.network)
    ana = { ...(await sandbox.pair(ANA, 'Ana')), gateway: sandbox }
    bob = { ...(await other.pair(BOB, 'Bob')), gateway: other }
    await sandbox.world.phone(CAROL, 'Carol')
  })
  after(async () => {
    await other.stop()
    await sandbox.stop()
  })

  const texts = (name: string) => Array.from({ length: COUNT }, (_, index) => `${name} ${index}`)
  const sendAll = (from: Line, to: string, name: string) =>
    Promise.all(
      texts(name).map((message) =>
        from.gateway.api('sendText', { body: { instanceName: from.name, number: to, message, delay: 0 } }),
      ),
    )
  /** The texts that an instance received from a person, oldest first. */
  const received = async ({ name, gateway }: Line, from: string): Promise<string[]> => {
    const found: Answer['json'][] = []
    for (let page = 1; ; page += 1) {
      const query = { instanceName: name, number: from, direction: 'incoming', limit: 100, page } as const
      const { messages, hasMore } = await gateway.api('listMessages', { query })
      found.push(...messages)
      if (!hasMore) return found.map((message) => String(message.content.text ?? message.type)).sort()
    }
  }
  const getsAll = async (instance: Line, from: string, name: string) => {
    await until(
      () => received(instance, from),
      (found) => found.length >= COUNT,
      `the messages of ${name}`,
    )
    assert.deepEqual(await received(instance, from), texts(name).sort())
  }

  test('instances of two gateways get all messages of each other once', async () => {
    await Promise.all([sendAll(ana, BOB, 'ana'), sendAll(bob, ANA, 'bob')])
    await Promise.all([getsAll(bob, ANA, 'ana'), getsAll(ana, BOB, 'bob')])
  })

  test('an instance and a phone get all messages of each other once', async () => {
    const fromPhone = texts('carol').map((text) =>
      sandbox.world.post(`/phones/${CAROL}/send`, { to: ANA, text }),
    )
    const [sent] = await Promise.all([sendAll(ana, CAROL, 'to carol'), ...fromPhone])
    await getsAll(ana, CAROL, 'carol')
    for (const { messageId } of sent) await sandbox.world.shown(CAROL, String(messageId))
  })
})
