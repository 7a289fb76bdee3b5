// Messages that may be opened once: phones get them, linked devices get a placeholder.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BaileysEventMap } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { PNG } from './support/content.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const jid = (number: string) => `${number}@s.whatsapp.net`
const media = { type: 'image', base64: PNG.toString('base64'), viewOnce: true }

for (const addressing of ['pn', 'lid'] as const)
  describe(`view once (${addressing})`, () => {
    let world: World
    let alice: Client
    let bob: Client
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      await world.phone(ALICE, 'Alice')
      await world.phone(BOB, 'Bob')
      alice = await new Client(world).pair(ALICE)
      bob = await new Client(world).pair(BOB)
    })
    after(async () => {
      await alice.end()
      await bob.end()
      await world.stop()
    })

    const placeholder = async (client: Client, id: string) => {
      const fits = ({ key }: BaileysEventMap['messages.upsert']['messages'][number]) => key.id === id
      const event = await client.wait('messages.upsert', ({ messages }) => messages.some(fits))
      const found = event.messages.find(fits)
      const { viewOnceMessageV2, imageMessage } = found?.message ?? {}
      return { isViewOnce: found?.key.isViewOnce, hasContent: Boolean(viewOnceMessageV2 ?? imageMessage) }
    }

    test('an image of a phone reaches the other phone whole, and every linked device as a placeholder', async () => {
      const id = await world.send(BOB, { to: ALICE, media })
      const shown = await world.shown(ALICE, id)
      assert.deepEqual([shown.kind, shown.viewOnce], ['image', true])
      assert.deepEqual(await world.bytes(`/phones/${ALICE}/messages/${id}/media`), PNG)
      for (const client of [alice, bob])
        assert.deepEqual(await placeholder(client, id), { isViewOnce: true, hasContent: false })
    })

    test('in a group the linked devices can still decrypt the next message', async () => {
      const made = await world.post('/groups', { subject: 'Team', members: [BOB], admin: ALICE })
      const to = answers.group.parse(made).group.jid
      const id = await world.send(BOB, { to, media })
      assert.equal((await world.shown(ALICE, id)).viewOnce, true)
      assert.deepEqual(await placeholder(alice, id), { isViewOnce: true, hasContent: false })
      const next = await alice.message(await world.send(BOB, { to, text: 'and now?' }))
      assert.equal(next.message?.conversation, 'and now?')
    })

    test('an image of a client is shown as view once on the phone', async () => {
      const sent = await alice.socket.sendMessage(jid(BOB), { image: PNG, viewOnce: true })
      const shown = await world.shown(BOB, sent?.key.id ?? '')
      assert.deepEqual([shown.kind, shown.viewOnce], ['image', true])
    })
  })
