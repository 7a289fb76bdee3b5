// Files of received messages are kept as long as promised, survive network failures, and are encrypted on disk.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Logger, pino } from 'pino'
import { type Engine, engines } from '../../test/support/engines.ts'
import { until } from '../../test/support/linked.ts'
import { openStore } from '../../test/support/open-store.ts'
import { wholeFile } from '../../test/support/whole-file.ts'
import { deleteAccountRows } from '../accounts/account-queries.ts'
import { NetworkError } from '../network/network.ts'
import { receiveFile } from '../receiving/conformance-arrivals.ts'
import { makeTenant, NOON, removeInstance, type Tenant } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { instanceScope, openVault, type Vault } from '../store/vault.ts'
import { createDiskStore } from './disk-store.ts'
import { startMediaFetcher } from './media-fetcher.ts'
import { createReceivedFiles } from './received-files.ts'
import { MEDIA_KEPT_MS, STORE_PAUSE_MS } from './rules.ts'

const SECRET_TEXT = 'a private picture'

const receive = async (store: Store, tenant: Tenant): Promise<number> =>
  (await receiveFile(store, tenant)).rowId

interface Kept {
  store: Store
  vault: Vault
  files: ReturnType<typeof createReceivedFiles>
  directory: string
  logger: Logger
}

/** An empty store and an empty folder, both removed afterwards. */
async function withFiles(engine: Engine, work: (kept: Kept) => Promise<void>): Promise<void> {
  const storeLocation = await engine.createLocation()
  const store = await openStore(storeLocation)
  try {
    const vault = await openVault(store.db, new Uint8Array(32))
    const logger = pino({ level: 'silent' })
    const directory = join(storeLocation.directory, 'received')
    await work({
      store,
      vault,
      files: createReceivedFiles({ locations: [createDiskStore(directory)], store, vault, logger }),
      directory,
      logger,
    })
  } finally {
    await store.close()
    await storeLocation.dispose()
  }
}

for (const engine of engines) {
  describe(`files of received messages on ${engine.name}`, () => {
    test('are fetched on arrival, retried while the network is unavailable, kept encrypted, and removed after 14 days', () =>
      withFiles(engine, async ({ store, files, directory, logger }) => {
        const tenant = await makeTenant(store)
        const { instanceId } = tenant
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
        /** Runs one poll at this moment. */
        const poll = async () => {
          const fetcher = startMediaFetcher({
            store,
            clock: () => now,
            logger,
            async download() {
              const answer = answers.shift()
              if (answer instanceof Error) throw answer
              return answer ?? null
            },
            files,
          })
          await fetcher.stop()
          return statusOf()
        }
        assert.deepEqual(await poll(), [['wanted', 0, false]])
        assert.equal(await wholeFile(files, instanceId, rowId), null)
        now += 60 * 60 * 1000
        assert.deepEqual(await poll(), [['wanted', 1, false]])
        now += 60 * 60 * 1000
        assert.deepEqual(await poll(), [['kept', 1, true]])
        now = NOON + MEDIA_KEPT_MS
        await poll()
        const kept = await wholeFile(files, instanceId, rowId)
        assert.equal(kept && Buffer.from(kept).toString(), SECRET_TEXT)
        const folder = join(directory, String(instanceId))
        const [name] = readdirSync(folder)
        assert.ok(!readFileSync(join(folder, name ?? '')).includes(SECRET_TEXT), 'the file is encrypted')
        now += 1
        assert.deepEqual(await poll(), [])
        assert.deepEqual(readdirSync(folder), [])
      }))

    test('are given up at once when the network refuses them', () =>
      withFiles(engine, async ({ store, files, logger }) => {
        await receive(store, await makeTenant(store))
        const fetcher = startMediaFetcher({
          store,
          clock: () => NOON,
          logger,
          download: () => Promise.reject(new NetworkError('refused', 'gone', undefined, 410)),
          files,
        })
        await fetcher.stop()
        const rows = await store.db.selectFrom('received_files').select('status').execute()
        assert.deepEqual(rows, [{ status: 'lost' }])
      }))

    test('are fetched again after a pause while they cannot be stored, and none is given up', () =>
      withFiles(engine, async ({ store, files, logger }) => {
        const tenant = await makeTenant(store)
        const rowIds = [
          await receive(store, tenant),
          await receive(store, tenant),
          await receive(store, tenant),
        ]
        let [now, downloads, isFull] = [NOON, 0, true]
        const fetcher = startMediaFetcher({
          store,
          clock: () => now,
          logger,
          async download() {
            downloads += 1
            return Buffer.from(SECRET_TEXT)
          },
          files: {
            ...files,
            async put(instanceId, rowId, bytes) {
              if (isFull) throw new Error('no space left')
              await files.put(instanceId, rowId, bytes)
            },
            remove: async () => assert.fail('nothing is removed'),
            instanceIds: async () => Promise.reject(new Error('the list is not available either')),
          },
        })
        const statusOf = async () =>
          (await store.db.selectFrom('received_files').select(['status', 'tries']).execute()).map(
            ({ status, tries }) => `${status} ${tries}`,
          )
        const downloaded = (count: number) =>
          until(`${count} downloads`, async () => {
            if (downloads >= count) return true
            now += STORE_PAUSE_MS
            fetcher.wake()
            return undefined
          })
        await until('two downloads', async () => (downloads === 2 ? true : undefined))
        await until('their outcome', async () =>
          (await store.db.selectFrom('received_files').where('due_at', '>', now).selectAll().execute())
            .length === 2
            ? true
            : undefined,
        )
        assert.equal(downloads, 2, 'the third one waits until the pause is over')
        await downloaded(30)
        assert.deepEqual(await statusOf(), ['wanted 0', 'wanted 0', 'wanted 0'])
        isFull = false
        await until('all files', async () => {
          now += STORE_PAUSE_MS
          fetcher.wake()
          return (await statusOf()).every((status) => status === 'kept 0') ? true : undefined
        })
        await fetcher.stop()
        for (const rowId of rowIds) assert.ok(await wholeFile(files, tenant.instanceId, rowId))
      }))

    test('are removed at the next start if their instance or row is gone, and so are interrupted writes', () =>
      withFiles(engine, async ({ store, files, directory, logger }) => {
        const tenant = await makeTenant(store)
        const deleted = await makeTenant(store)
        const kept = await receive(store, tenant)
        const gone = await receive(store, tenant)
        const [unknownInstance, bytes] = [deleted.instanceId + 1000, Buffer.from(SECRET_TEXT)]
        for (const rowId of [kept, gone]) await files.put(tenant.instanceId, rowId, bytes)
        for (const instanceId of [deleted.instanceId, unknownInstance]) await files.put(instanceId, 1, bytes)
        await store.transaction((tx) => removeInstance(tx, deleted.instanceId))
        await store.db.deleteFrom('received_files').where('message_row_id', '=', gone).execute()
        writeFileSync(join(directory, String(tenant.instanceId), `${gone}.part`), bytes)
        const fetcher = startMediaFetcher({
          store,
          logger,
          files,
          clock: () => NOON - 1,
          download: async () => assert.fail('nothing is due yet'),
        })
        await fetcher.stop()
        assert.deepEqual(readdirSync(directory), [String(tenant.instanceId)])
        assert.deepEqual(readdirSync(join(directory, String(tenant.instanceId))), [String(kept)])
        assert.ok(await wholeFile(files, tenant.instanceId, kept))
      }))

    test('are not kept if their account is deleted during the download', () =>
      withFiles(engine, async ({ store, files, directory, logger }) => {
        const tenant = await makeTenant(store)
        await receive(store, tenant)
        const fetcher = startMediaFetcher({
          store,
          logger,
          files,
          clock: () => NOON,
          async download() {
            await store.transaction(async (tx) => {
              await removeInstance(tx, tenant.instanceId)
              await deleteAccountRows(tx, tenant.accountId)
            })
            return Buffer.from(SECRET_TEXT)
          },
        })
        await fetcher.stop()
        assert.deepEqual(readdirSync(join(directory, String(tenant.instanceId))), [])
      }))

    test('cannot be decrypted once the instance is logged out', () =>
      withFiles(engine, async ({ store, vault, files }) => {
        await files.put(7, 1, Buffer.from(SECRET_TEXT))
        assert.ok(await wholeFile(files, 7, 1))
        assert.equal(await wholeFile(files, 7, 2), null)
        await vault.destroy(store.db, instanceScope(7))
        assert.equal(await wholeFile(files, 7, 1), null)
      }))
  })
}
