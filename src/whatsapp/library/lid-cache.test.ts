import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cacheLids } from './open-library.ts'

const ANA = '5511900000001@s.whatsapp.net'

function mapping() {
  const stored = new Map<string, string>()
  const script = { stored, lookups: 0, reading: Promise.resolve() }
  return Object.assign(script, {
    async getLIDForPN(jid: string): Promise<string | null> {
      script.lookups += 1
      const found = stored.get(jid) ?? null
      await script.reading
      return found
    },
    async storeLIDPNMappings(pairs: { lid: string; pn: string }[]): Promise<void> {
      for (const { lid, pn } of pairs) stored.set(pn, lid)
    },
  })
}

describe('hidden ids of phone numbers', () => {
  test('are looked up once', async () => {
    const lids = mapping()
    cacheLids(lids)
    await lids.storeLIDPNMappings([{ pn: ANA, lid: '1@lid' }])
    for (let round = 0; round < 3; round += 1) assert.equal(await lids.getLIDForPN(ANA), '1@lid')
    assert.equal(lids.lookups, 1)
  })

  test('a number without one is looked up again', async () => {
    const lids = mapping()
    cacheLids(lids)
    assert.equal(await lids.getLIDForPN(ANA), null)
    lids.stored.set(ANA, '1@lid')
    assert.equal(await lids.getLIDForPN(ANA), '1@lid')
  })

  test('a change is seen at once, also by a lookup after one that began before it', async () => {
    const lids = mapping()
    cacheLids(lids)
    lids.stored.set(ANA, '1@lid')
    const slow = Promise.withResolvers<void>()
    lids.reading = slow.promise
    const early = lids.getLIDForPN(ANA)
    await lids.storeLIDPNMappings([{ pn: ANA, lid: '2@lid' }])
    slow.resolve()
    assert.equal(await early, '1@lid')
    assert.equal(await lids.getLIDForPN(ANA), '2@lid')
  })

  test('few are kept', async () => {
    const lids = mapping()
    cacheLids(lids)
    const people = Array.from({ length: 600 }, (_, index) => `55119${index}@s.whatsapp.net`)
    for (const pn of people) lids.stored.set(pn, `${pn}@lid`)
    for (const pn of people) await lids.getLIDForPN(pn)
    await lids.getLIDForPN(people.at(-1) as string)
    assert.equal(lids.lookups, 600)
    await lids.getLIDForPN(people[0] as string)
    assert.equal(lids.lookups, 601)
  })
})
