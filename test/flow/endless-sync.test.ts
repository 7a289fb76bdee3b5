// A change of the owner's account that the network announces and never delivers does not silence the instance.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeBinaryNode } from 'baileys'
import { openStage, pairAll, type Stage, sendFrom, writeFrom } from '../soak/stage.ts'
import { withDatabase } from '../support/database.ts'
import { engines } from '../support/engines.ts'
import { until } from '../support/linked.ts'

const INSTANCE = '5511963000001'
const PERSON = '5511963100001'
let stage: Stage

before(async () => {
  // What the driver does here does not depend on the store.
  const [engine] = engines
  assert.ok(engine)
  stage = await openStage(engine, [INSTANCE], 1)
  await stage.world.phone(PERSON, 'Person')
  await pairAll(stage)
})
after(() => stage.end())

/** Without a name: no answer contains the collection under the name that the library looks for. */
const announcement = () => {
  const collection = { tag: 'collection', attrs: { version: '5' } }
  const attrs = { from: 's.whatsapp.net', id: '4711', type: 'server_sync', t: '1' }
  const stanza = { tag: 'notification', attrs, content: [collection] }
  return { as: 'frame', bytes: Buffer.from(encodeBinaryNode(stanza)).toString('base64') }
}

const isStored = (id: string): Promise<boolean> =>
  withDatabase(stage.storeLocation, async (database) => {
    const rows = await database.rows<{ id: string }>('select id from messages')
    return rows.some((row) => row.id === id)
  })

test('a collection that no answer contains: messages are sent and received after its announcement', async () => {
  await stage.world.post('/injections', { number: INSTANCE, frames: [announcement()] })
  await writeFrom(stage, { instance: INSTANCE, person: PERSON, count: 1 })
  const { id = '' } = stage.expected.written.at(-1) ?? {}
  await until('the received message', async () => (await isStored(id)) || undefined)
  const { id: sent = '' } = await sendFrom(stage, { instance: INSTANCE, person: PERSON, count: 2 })
  const { status } = await stage.world.ask('GET', `/phones/${PERSON}/messages/${sent}?waitMs=30000`)
  assert.equal(status, 200)
})
