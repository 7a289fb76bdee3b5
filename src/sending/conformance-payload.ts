// Saving payloads: the first one of a message is kept.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import { findSentPayload } from '../store/queries/sent-payloads.ts'

export function payloadConformance({ store: current }: Conformance): void {
  describe('saving payloads', () => {
    test('the first payload of a message is kept, in one commit and in a later one', async () => {
      const store = current()
      const [{ instanceId }, other] = [await makeTenant(store), await makeTenant(store)]
      const save = (id: number, messageId: string, text: string) =>
        store.savePayload({ instanceId: id, messageId, payload: Buffer.from(text), acceptedAt: NOON })
      await Promise.all([
        save(instanceId, 'a', 'first'),
        save(instanceId, 'a', 'second'),
        save(instanceId, 'b', 'b'),
        save(other.instanceId, 'a', 'other'),
      ])
      await save(instanceId, 'a', 'third')
      const textOf = async (id: number, messageId: string) =>
        Buffer.from((await findSentPayload(store.db, id, messageId)) ?? []).toString()
      assert.deepEqual(
        [await textOf(instanceId, 'a'), await textOf(instanceId, 'b'), await textOf(other.instanceId, 'a')],
        ['first', 'b', 'other'],
      )
    })
  })
}
