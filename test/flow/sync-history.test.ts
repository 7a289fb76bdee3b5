// How much of the phone's history a new session takes over, and that typing ends with the session.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SyncHistory } from '../../src/contract/instance-settings.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { Interpretation } from '../../src/network/network.ts'
import { World } from '../sandbox/support/world.ts'
import { openPortSession } from '../support/port-session.ts'

const [OWNER, ANA] = ['5511900000001', '5511900000002']
/** Of which a phone transfers 200 at pairing. */
const WRITTEN = 205

let world: World
before(async () => {
  world = await World.start()
  for (const number of [OWNER, ANA]) await world.phone(number, `Phone ${number}`)
  let last = ''
  for (let index = 0; index < WRITTEN; index += 1)
    last = await world.send(ANA, { to: OWNER, text: `message ${index}` })
  await world.shown(OWNER, last)
})
after(() => world.stop())

/** The parts of the history that a new session reads, once there are this many. */
async function pairedWith(syncHistory: SyncHistory | undefined, parts: number): Promise<Interpretation[]> {
  const histories: Interpretation[] = []
  const all = Promise.withResolvers<void>()
  const session = await openPortSession(world, OWNER, {
    syncHistory,
    async onArrived(payload, open) {
      const read = await open.interpret(payload)
      if (read.isHistory) histories.push(read)
      if (histories.length === parts) all.resolve()
    },
  })
  await all.promise
  await session.close()
  return histories
}

const EXPECTED = [
  [undefined, 3, 200],
  ['none', 3, 0],
  ['recent', 3, 200],
  ['full', 4, WRITTEN],
] as const

for (const [syncHistory, parts, messages] of EXPECTED)
  test(`a session with syncHistory ${syncHistory} reads ${messages} of ${WRITTEN} messages, and names in any case`, async () => {
    const histories = await pairedWith(syncHistory, parts)
    const ids = new Set(histories.flatMap((history) => history.messages.map(({ id }) => id)))
    assert.equal(ids.size, messages)
    const people = histories.flatMap((history) => history.people)
    assert.ok(people.some(({ phone, lid }) => phone === ANA && lid !== null))
    assert.ok(people.some(({ pushName }) => pushName === `Phone ${ANA}`))
    assert.equal(
      histories.some(({ chats }) => chats.length > 0),
      messages > 0,
    )
  })

test('typing ends when the session is closed', async () => {
  const session = await openPortSession(world, OWNER)
  await world.post(`/phones/${ANA}/presence`, { available: true })
  await session.showPresence(`${ANA}@s.whatsapp.net`, 'typing', 120)
  await session.close()
  const seen = async (after: number): Promise<{ seq: number; state: string } | undefined> =>
    (await world.get(`/phones/${ANA}/typing?after=${after}&waitMs=30000`, answers.typing)).typing[0]
  const shown = await seen(0)
  assert.deepEqual([shown?.state, (await seen(shown?.seq ?? 0))?.state], ['typing', 'paused'])
})
