// Files of received messages are there as long as promised, whatever the network does meanwhile, and nobody can read them on the disk.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { openStore } from '../../bench/open-store.ts'
import { engines } from '../../test/support/engines.ts'
import { createFileShelf } from '../file-shelf.ts'
import { NetworkError } from '../network/network.ts'
import { makeTenant, NOON, type Tenant } from '../store/conformance/tenant.ts'
import { wantFile } from '../store/queries/received-files.ts'
import type { Store } from '../store/store.ts'
import { instanceScope, openVault } from '../store/vault.ts'
import { FILES_KEPT_MS, startFileKeeper } from './file-keeper.ts'
import { JITTER, SCHEDULE_MS } from './retry-schedule.ts'

const SECRET_TEXT = 'a picture that is nobody else’s'

async function receive(store: Store, { accountId, instanceId, send }: Tenant): Promise<number> {
  const { messageId, chat } = send()
  const { row_id } = await store.db
    .insertInto('messages')
    .values({
      id: messageId,
      account_id: accountId,
      instance_id: instanceId,
      direction: 'incoming',
      chat,
      number: null,
      group_jid: null,
      kind: 'image',
      content: '{}',
      media_reference: '{"type":"image"}',
      delay_ms: 0,
      status: 'delivered',
      failure_reason: null,
      failure_error: null,
      failure_code: null,
      lane: null,
      lane_seq: null,
      created_at: NOON,
      updated_at: NOON,
      sent_at: NOON,
      delivered_at: NOON,
      read_at: null,
    })
    .returning('row_id')
    .executeTakeFirstOrThrow()
  await wantFile(store.db, { rowId: row_id, instanceId, now: NOON })
  return row_id
}

test('files are kept for longer than an event about them is tried to be delivered', () => {
  const longestMs = SCHEDULE_MS.reduce((sum, pauseMs) => sum + pauseMs * (1 + JITTER), 0)
  assert.ok(FILES_KEPT_MS > longestMs)
})

for (const engine of engines) {
  describe(`files of received messages on ${engine.name}`, () => {
    test('are fetched on arrival, tried again when the network is away, kept sealed, and gone in the end', async () => {
      const place = await engine.place()
      const store = await openStore(place)
      try {
        const vault = await openVault(store.db, new Uint8Array(32))
        const tenant = await makeTenant(store)
        const { instanceId } = tenant
        const shelf = createFileShelf({ directory: place.directory, store, vault })
        let now = NOON
        const answers: (Uint8Array | Error)[] = [
          new NetworkError('unavailable', 'away'),
          new NetworkError('timeout', 'late'),
          Buffer.from(SECRET_TEXT),
        ]
        const rowId = await receive(store, tenant)
        const statusOf = async () => {
          const rows = await store.db.selectFrom('received_files').selectAll().execute()
          return rows.map((row) => [row.status, row.tries, row.due_at === null])
        }
        /** One look of the keeper at this moment; it has ended when the keeper has. */
        const look = async () => {
          const keeper = startFileKeeper({
            store,
            clock: () => now,
            logger: pino({ level: 'silent' }),
            async download() {
              const answer = answers.shift()
              if (answer instanceof Error) throw answer
              return answer ?? null
            },
            files: shelf,
          })
          await keeper.stop()
          return statusOf()
        }
        assert.deepEqual(await look(), [['wanted', 0, false]])
        assert.equal(await shelf.read(instanceId, rowId), null)
        now += 60 * 60 * 1000
        assert.deepEqual(await look(), [['wanted', 1, false]])
        now += 60 * 60 * 1000
        assert.deepEqual(await look(), [['kept', 1, true]])
        now = NOON + FILES_KEPT_MS
        await look()
        const kept = await shelf.read(instanceId, rowId)
        assert.equal(kept && Buffer.from(kept).toString(), SECRET_TEXT)
        const folder = join(place.directory, String(instanceId))
        const [name] = readdirSync(folder)
        assert.ok(!readFileSync(join(folder, name ?? '')).includes(SECRET_TEXT), 'it is sealed')
        now += 1
        assert.deepEqual(await look(), [])
        assert.deepEqual(readdirSync(folder), [])
      } finally {
        await store.close()
        await place.dispose()
      }
    })

    test('of a logged-out instance are noise', async () => {
      const place = await engine.place()
      const store = await openStore(place)
      try {
        const vault = await openVault(store.db, new Uint8Array(32))
        const shelf = createFileShelf({ directory: place.directory, store, vault })
        await shelf.put(7, 1, Buffer.from(SECRET_TEXT))
        assert.ok(await shelf.read(7, 1))
        assert.equal(await shelf.read(7, 2), null)
        await vault.destroy(store.db, instanceScope(7))
        assert.equal(await shelf.read(7, 1), null)
      } finally {
        await store.close()
        await place.dispose()
      }
    })
  })
}
