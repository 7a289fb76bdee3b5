// Cancelling the messages of a reference survives a kill: what was cancelled is cancelled and announced, and a second call does the rest.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../support/engines.ts'
import { api } from '../support/linked.ts'
import { programFile } from '../support/program.ts'
import { makeLoggedIn, newKey, post, type Started, startWithKey } from '../support/started.ts'

const MESSAGES = 600
const AT_ONCE = 50
const reference = 'campaign-2026-12'

for (const engine of engines)
  describe(`cancelling by reference over a kill, on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let gateway: Started
    let name = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      gateway = await startWithKey(storeLocation, newKey(), {}, programFile('failing-server'))
      name = await makeLoggedIn(gateway, storeLocation)
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await storeLocation.dispose()
    })

    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const schedule = async (index: number): Promise<string> => {
      const number = `55119612${String(index % 40).padStart(5, '0')}`
      const body = { instanceName: name, number, message: `${index}`, reference, sendAt, delay: 0 }
      return (await api(gateway, 'POST /send/text', body)).messageId
    }
    const idsWith = async (status: string): Promise<string[]> => {
      const found: string[] = []
      for (let page = 1; ; page += 1) {
        const filter = `reference=${reference}&status=${status}&limit=100&page=${page}`
        const { messages, hasMore } = await api(gateway, `GET /messages?${filter}`)
        found.push(...messages.map(({ messageId }: { messageId: string }) => messageId))
        if (!hasMore) return found.sort()
      }
    }
    /** The messages that are announced as cancelled, each as often as it is. */
    async function announced(): Promise<string[]> {
      const found: string[] = []
      for (let next = ''; ; ) {
        const page = await api(gateway, `GET /events?limit=500${next && `&after=${next}`}`)
        for (const { event, data } of page.events)
          if (event === 'messages.update' && data.failure?.reason === 'canceled') found.push(data.messageId)
        if (!page.hasMore) return found.sort()
        next = page.next
      }
    }

    test('what was cancelled is cancelled and announced once, and a second call cancels the rest', async () => {
      const ids: string[] = []
      while (ids.length < MESSAGES)
        ids.push(
          ...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => schedule(ids.length + index)))),
        )
      let [canceled, left]: [string[], string[]] = [[], []]
      // The transaction that is killed may not be one of the call, but a heartbeat.
      while (canceled.length === 0) {
        gateway.child.send({ arm: 'transaction.after', how: 'kill' })
        await assert.rejects(post(gateway, '/messages/cancel', { reference }), 'the call has no answer')
        await gateway.exited
        gateway = await startWithKey(storeLocation, gateway.key, {}, programFile('failing-server'))
        canceled = await idsWith('failed')
        left = await idsWith('scheduled')
      }
      assert.ok(left.length > 0, `${canceled.length} cancelled, none left`)
      assert.deepEqual([...canceled, ...left].sort(), [...ids].sort())
      assert.deepEqual(await announced(), canceled)

      const answer = await api(gateway, 'POST /messages/cancel', { reference })
      assert.deepEqual([answer.canceled, answer.more], [left.length, false])
      assert.deepEqual(await idsWith('failed'), [...ids].sort())
      assert.deepEqual(await announced(), [...ids].sort())
    })
  })
