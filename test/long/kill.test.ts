// Random kills while clients send: every acknowledged send is stored once and in order, and every counter is correct (promise
// A1).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withDatabase } from '../support/database.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import { randomFrom } from '../support/seeded-random.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { makeLoggedIn, newKey, post, type Started, startWithKey } from '../support/started.ts'

/** `npm run soak` kills far more often, with live sessions. */
const KILLS = { sqlite: 3, postgres: 2 }
const CLIENTS = 12
const CHATS = 6
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)

interface Acknowledged {
  messageId: string
  chat: number
  /** The client's own count: within a client and chat, acknowledged sends must keep this order. */
  client: number
  count: number
}

/** Sends until the server has ended. Each client waits for its answer, so its own sends are ordered. */
async function sendUntilGone(
  server: Started,
  instanceName: string,
  client: number,
  count: () => number,
  onAcknowledged: (send: Acknowledged) => void,
): Promise<void> {
  const chat = client % CHATS
  for (;;) {
    const mine = count()
    const body = { instanceName, number: `5511900000${100 + chat}`, message: `${client}:${mine}`, delay: 0 }
    try {
      const answer = await post(server, '/send/text', body)
      const json = (await answer.json()) as { messageId: string }
      assert.equal(answer.status, 200, JSON.stringify(json))
      onAcknowledged({ messageId: json.messageId, chat, client, count: mine })
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
  }
}

async function check(storeLocation: StoreLocation, acknowledged: Acknowledged[]): Promise<number> {
  return withDatabase(storeLocation, async (database) => {
    const rows = await database.rows<{ id: string; lane: string; lane_seq: string; content: string }>(
      'select id, lane, lane_seq, content from messages order by row_id',
    )
    const rowOf = new Map(
      rows.map((row, index) => [row.id, { index, seq: Number(row.lane_seq), lane: row.lane }]),
    )
    assert.equal(rowOf.size, rows.length, 'no message is there twice')
    const lost = acknowledged.filter(({ messageId }) => !rowOf.has(messageId))
    assert.deepEqual(lost, [], 'every acknowledged send is there')

    for (const [, sends] of Map.groupBy(acknowledged, ({ client }) => client)) {
      const inOrder = sends
        .sort((a, b) => a.count - b.count)
        .map(({ messageId }) => rowOf.get(messageId)?.seq ?? 0)
      assert.deepEqual(
        inOrder,
        inOrder.toSorted((a, b) => a - b),
        'the order of a chat is the order of its sends',
      )
    }
    for (const [lane, sends] of Map.groupBy(rows, (row) => row.lane)) {
      const seqs = sends.map((row) => Number(row.lane_seq)).sort((a, b) => a - b)
      assert.deepEqual(
        seqs,
        sends.map((_row, index) => index + 1),
        `the numbers of ${lane} have no gap`,
      )
    }
    const [counts] = await database.rows<{ used: string; queued: string; waiting: string }>(
      `select (select sum(used) from usage where resource = 'messages') as used,
         (select sum(queued_count) from instances) as queued,
         (select count(*) from messages where status in ('queued', 'sending')) as waiting`,
    )
    assert.equal(Number(counts?.used), rows.length, 'usage is the number of messages')
    assert.equal(Number(counts?.queued), Number(counts?.waiting), 'the queue is as long as it says')
    return rows.length
  })
}

for (const engine of engines) {
  describe(`kills on ${engine.name}`, () => {
    test(`${KILLS[engine.name]} kills while ${CLIENTS} clients send lose nothing that was acknowledged`, async (t) => {
      t.diagnostic(`KILL_SEED=${SEED}`)
      const random = randomFrom(SEED)
      const storeLocation = await engine.createLocation()
      const key = newKey()
      const acknowledged: Acknowledged[] = []
      let counter = 0
      const sandbox = await onSharedSandbox()
      let server = await startWithKey(storeLocation, key, sandbox)
      try {
        const instanceName = await makeLoggedIn(server, storeLocation)
        for (let kill = 0; kill < KILLS[engine.name]; kill += 1) {
          // At a random number of answers rather than after a time, so that the speed of the machine does not matter.
          const goal = acknowledged.length + 20 + Math.floor(random() * 300)
          const reached = Promise.withResolvers<void>()
          const onAcknowledged = (send: Acknowledged) => {
            if (acknowledged.push(send) >= goal) reached.resolve()
          }
          const clients = Array.from({ length: CLIENTS }, (_, client) =>
            sendUntilGone(server, instanceName, client, () => (counter += 1), onAcknowledged),
          )
          // A client that fails must not leave the test waiting.
          await Promise.race([reached.promise, Promise.all(clients)])
          await server.stop('SIGKILL')
          await Promise.all(clients)
          server = await startWithKey(storeLocation, key, sandbox)
          await check(storeLocation, acknowledged)
        }
        const again = await post(server, '/send/text', {
          instanceName,
          number: '5511900000100',
          message: 'after',
        })
        assert.equal(again.status, 200)
        t.diagnostic(`${acknowledged.length} acknowledged`)
      } finally {
        await server.stop('SIGKILL')
        await storeLocation.dispose()
      }
    })
  })
}
