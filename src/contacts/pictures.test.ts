// Pictures are fetched without a request, slowly and in order, stored within limits, and updated when the network reports a change.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines } from '../../test/support/engines.ts'
import { openStore } from '../../test/support/open-store.ts'
import { withPersonIds } from '../chats/rules.ts'
import type { Deps } from '../context.ts'
import type { FileContent } from '../contract/route.ts'
import { NetworkError } from '../network/network.ts'
import { reportOf } from '../receiving/conformance-arrivals.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { openVault, type Vault } from '../store/vault.ts'
import { ensureChat } from './contact-queries.ts'
import { clearOldPictureBytes, findPicture, schedulePictures, upsertPicture } from './picture-queries.ts'
import { recordPictureChange, refreshDuePictures } from './pictures.ts'
import { REFRESH_MS, RETRY_MS } from './rules.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00])
const person = (last: number) => `551190000000${last}@s.whatsapp.net`

for (const engine of engines) {
  describe(`profile pictures on ${engine.name}`, () => {
    let store: Store
    let vault: Vault
    let dispose: () => Promise<void>
    before(async () => {
      const storeLocation = await engine.createLocation()
      dispose = storeLocation.dispose
      store = await openStore(storeLocation)
      vault = await openVault(store.db, new Uint8Array(32))
    })
    after(async () => {
      await store.close()
      await dispose()
    })
    const addChat = (instanceId: number, jid: string, now: number) =>
      ensureChat(store.db, { instanceId, jid, isGroup: false, now })
    const statusOf = async (instanceId: number, jid: string) =>
      (await findPicture(store.db, { instanceId, jid }))?.status

    test('one fetch per instance and pass: wanted pictures first, then the latest chats, each once a week', async () => {
      const { instanceId } = await makeTenant(store)
      await addChat(instanceId, person(1), NOON)
      await addChat(instanceId, person(2), NOON + 1)
      await schedulePictures(store.db, instanceId, [person(3)], 0)
      const requested: string[] = []
      let now = NOON
      const profilePicture = async (id: number, chat: string): Promise<FileContent | null> => {
        if (id !== instanceId) return null
        requested.push(chat)
        if (chat === person(2)) throw new NetworkError('timeout', 'late')
        return chat === person(3) ? { bytes: PNG, contentType: 'image/png' } : null
      }
      const deps = { store, vault, clock: () => now, sessions: { profilePicture } as Deps['sessions'] }
      for (let pass = 0; pass < 5; pass += 1) await refreshDuePictures(deps, 4)
      assert.deepEqual(
        requested,
        [person(3), person(2), person(1)],
        'one that fails does not hold the others',
      )
      assert.equal(await statusOf(instanceId, person(3)), 'present')
      assert.equal(await statusOf(instanceId, person(1)), 'absent')
      now += RETRY_MS
      await refreshDuePictures(deps, 4)
      assert.deepEqual(requested.splice(0), [person(3), person(2), person(1), person(2)])
      now += REFRESH_MS
      for (let pass = 0; pass < 5; pass += 1) await refreshDuePictures(deps, 4)
      assert.deepEqual(new Set(requested), new Set([person(1), person(2), person(3)]))
    })

    test('a reported change applies to the chat by number, with an event; for unknown people nothing is stored', async () => {
      const { instanceId } = await makeTenant(store)
      await addChat(instanceId, person(1), NOON)
      const known = { jid: person(1), lid: '777@lid', phone: '5511900000001', pushName: null }
      await store.recordReports([reportOf({ instanceId }, { people: [known] })])
      const deps = { store, clock: () => NOON }
      await recordPictureChange(deps, instanceId, { kind: 'picture', jid: '777@lid', change: 'set' })
      assert.equal(await statusOf(instanceId, person(1)), 'present')
      await recordPictureChange(deps, instanceId, { kind: 'picture', jid: person(9), change: 'set' })
      assert.equal(await statusOf(instanceId, person(9)), undefined)
      const events = await store.db
        .selectFrom('events')
        .select(['name', 'data'])
        .where('instance_id', '=', instanceId)
        .execute()
      assert.deepEqual(
        events.map(({ name, data }) => [name, (JSON.parse(data) as { person: object }).person]),
        [['contacts.update', withPersonIds(known)]],
      )
    })

    test('only the bytes of the pictures fetched last are kept; the other rows stay', async () => {
      const { instanceId } = await makeTenant(store)
      for (const last of [1, 2, 3, 4]) {
        await upsertPicture(
          store.db,
          { instanceId, jid: person(last) },
          {
            status: 'present',
            sealed: PNG,
            digest: 'd',
            version: 1,
            checked_at: NOON + last,
            due_at: NOON + REFRESH_MS,
          },
        )
      }
      await clearOldPictureBytes(store.db, instanceId, 2)
      const rows = await store.db
        .selectFrom('pictures')
        .select(['status', 'sealed'])
        .where('instance_id', '=', instanceId)
        .orderBy('jid')
        .execute()
      assert.deepEqual(
        rows.map(({ status, sealed }) => [status, sealed !== null]),
        [
          ['present', false],
          ['present', false],
          ['present', true],
          ['present', true],
        ],
      )
    })
  })
}
