// Brokers that are killed under load and started again: no event is lost, repeats carry the same id, and no other receiver waits for them
// (promise C7).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeHook } from '../contract/webhook-rules.ts'
import { BROKER_TYPES, reasonsWithout } from '../support/brokers.ts'
import { checkIds, onStage } from '../support/destination-stage.ts'
import { until } from '../support/linked.ts'

const KILLS = 3
const TEXTS = 20

const missing = await reasonsWithout(true)

for (const type of BROKER_TYPES)
  describe(`kills of ${type}`, { skip: missing[type] ?? false }, () => {
    test(`${KILLS} kills under load lose no event, keep every id and delay no other receiver`, () =>
      onStage(type, { own: true }, async ({ mine, broker, send, untilRetried }) => {
        const { receiver } = await makeHook(mine, { events: ['messages.upsert'] })
        const texts: string[] = []
        for (let kill = 0; kill < KILLS; kill += 1) {
          const from = texts.length
          texts.push(...(await send(from, from + TEXTS)))
          await untilRetried(texts.slice(0, from + 3))
          const [under] = await Promise.all([send(from + TEXTS, from + 2 * TEXTS), broker.kill?.()])
          texts.push(...under)
          // The broker is still away.
          const got = await until('every event at the webhook', async () => {
            // Time that passes for the broker may repeat a post.
            const seen = [...new Set(receiver.received.map(({ json }) => json.data.text))]
            return seen.length === texts.length ? seen : undefined
          })
          assert.deepEqual(got, texts)
          await broker.startAgain?.()
        }
        checkIds(await untilRetried(texts))
      }))
  })
