// Sessions of other programs: every sound one becomes an instance with its keys, a faulty one is reported, and nothing is half done.
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { engines, type StoreLocation, temporaryDirectory } from '../../../../test/support/engines.ts'
import { json, linkedCreds, writeForeignFolder } from '../../../../test/support/foreign-session.ts'
import { openStore } from '../../../../test/support/open-store.ts'
import { readSettings } from '../../../config.ts'
import { loadMasterKey } from '../../../data-dir/secrets.ts'
import { sessionKeyCell } from '../../../instances/session-key-queries.ts'
import { makeAccount } from '../../../store/conformance/tenant.ts'
import { instanceScope, openVault } from '../../../store/vault.ts'
import { type ImportRequest, importSessions } from './import-sessions.ts'

const REQUEST = { from: 'baileys-folder', isApplied: true, accountId: undefined, isStopped: true }

for (const engine of engines)
  describe(`importing sessions on ${engine.name}`, () => {
    let at: StoreLocation
    let folders: string
    beforeEach(async () => {
      at = await engine.createLocation()
      folders = await temporaryDirectory()
      const store = await openStore(at)
      await makeAccount(store)
      await store.close()
    })
    afterEach(async () => {
      await at.dispose()
      await rm(folders, { recursive: true })
    })
    const run = (more: Partial<ImportRequest> = {}) =>
      importSessions(
        readSettings({ DATA_DIR: at.directory, DATABASE_URL: at.databaseUrl }),
        { ...REQUEST, location: folders, ...more },
        () => undefined,
      )
    const withStore = async <T>(
      work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
    ): Promise<T> => {
      const store = await openStore(at)
      try {
        return await work(store)
      } finally {
        await store.close()
      }
    }

    test('the keys of a session are sealed for its instance, and the login can be read again', async () => {
      await writeForeignFolder(join(folders, 'Shop\u0007 floor'), '5511940000001', 3)
      const [report] = await run()
      assert.equal(report?.outcome, 'imported')
      assert.deepEqual(report.taken, { 'pre-key': 812, session: 3 })
      await withStore(async (store) => {
        const instance = await store.db.selectFrom('instances').selectAll().executeTakeFirstOrThrow()
        assert.deepEqual(
          [instance.display_name, instance.api_name, instance.number, instance.lid, instance.logged_in],
          ['Shop floor', report.instanceName, '5511940000001', '123456789012345', 1],
        )
        const { sealed } = await store.db
          .selectFrom('session_keys')
          .select('sealed')
          .where('kind', '=', 'creds')
          .executeTakeFirstOrThrow()
        const vault = await openVault(
          store.db,
          await loadMasterKey({ DATA_DIR: at.directory, MASTER_KEY: undefined }, true),
        )
        const cell = sessionKeyCell(instance.id, 'creds', 'creds')
        const plain = await vault.unseal(store.db, instanceScope(instance.id), cell, sealed)
        assert.equal(JSON.parse(Buffer.from(plain).toString()).me.id, '5511940000001:7@s.whatsapp.net')
        const used = await store.db
          .selectFrom('usage')
          .select('used')
          .where('resource', '=', 'instances')
          .execute()
        assert.deepEqual(used, [{ used: 1 }])
        const events = await store.db.selectFrom('events').select('name').execute()
        assert.deepEqual(events, [{ name: 'connection.update' }])
      })
    })

    test('a number that is logged in here is refused, and the other sessions are taken', async () => {
      await writeForeignFolder(join(folders, 'a'), '5511940000002', 0)
      await run()
      await writeForeignFolder(join(folders, 'b'), '5511940000003', 0)
      const reports = await run()
      assert.deepEqual(reports.map(({ label, outcome }) => `${label} ${outcome}`).toSorted(), [
        'a refused',
        'b imported',
      ])
      assert.equal(await withStore((store) => countRows(store)), 2)
    })

    test('nothing is stored without --apply', async () => {
      await writeForeignFolder(join(folders, 'a'), '5511940000004', 1)
      const [report] = await run({ isApplied: false })
      assert.deepEqual([report?.outcome, report?.taken], ['ready', { 'pre-key': 812, session: 1 }])
      assert.equal(await withStore((store) => countRows(store)), 0)
    })

    test('a folder without sessions, an unknown account and an unknown kind are named', async () => {
      await assert.rejects(run(), /neither it nor a folder in it has a creds.json/)
      await assert.rejects(run({ location: join(folders, 'none') }), /cannot be read \(ENOENT\)/)
      await writeForeignFolder(join(folders, 'a'), '5511940000005', 0)
      await assert.rejects(run({ accountId: 999 }), /--account: there is no account 999/)
      await assert.rejects(run({ from: 'other' }), /--from: expected baileys-folder/)
    })

    test('a file that is too large for a key is left out', async () => {
      await mkdir(join(folders, 'a'))
      await writeFile(join(folders, 'a', 'creds.json'), json(linkedCreds()))
      await writeFile(join(folders, 'a', 'session-1.0.json'), Buffer.alloc(17 * 1024 * 1024, 32))
      const [report] = await run()
      assert.deepEqual([report?.outcome, report?.left], ['imported', { 'session: too large': 1 }])
    })
  })

const countRows = async (store: Awaited<ReturnType<typeof openStore>>): Promise<number> =>
  (await store.db.selectFrom('instances').select('id').execute()).length
