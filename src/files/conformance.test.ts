// One behaviour of all locations for files of received messages: the disk, rows of PostgreSQL and an S3-compatible store.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation, temporaryDirectory } from '../../test/support/engines.ts'
import {
  ACCESS_KEY,
  BUCKET,
  type ObjectServer,
  REGION,
  SECRET_KEY,
  startObjectServer,
} from '../../test/support/object-server.ts'
import { openStore } from '../../test/support/open-store.ts'
import { wholeFile } from '../../test/support/whole-file.ts'
import { GatewayError } from '../errors.ts'
import { createObjectClient } from '../kernel/outbound/object-client.ts'
import { receiveFile } from '../receiving/conformance-arrivals.ts'
import { makeTenant, type Tenant } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { instanceScope, openVault, type Vault } from '../store/vault.ts'
import { createDiskStore } from './disk-store.ts'
import { deleteFileRow } from './file-queries.ts'
import type { FileStore } from './file-store.ts'
import { checkObjectStore, createObjectStore } from './object-store.ts'
import { createReceivedFiles } from './received-files.ts'
import { createRowStore } from './row-store.ts'

const MB = 1024 * 1024

interface Stage {
  store: Store
  storeLocation: StoreLocation
}

interface OpenedLocation {
  files: FileStore
  /** Whether stored bytes include these. */
  holds(bytes: Buffer): Promise<boolean>
  close(): Promise<void>
}

const OBJECT_CLIENT = { region: REGION, bucket: BUCKET, accessKey: ACCESS_KEY, secretKey: SECRET_KEY }

const clientOf = (server: ObjectServer) =>
  createObjectClient({
    ...OBJECT_CLIENT,
    endpoint: server.endpoint,
    extraCa: [],
    limits: { retryPausesMs: [1] },
  })

const LOCATIONS: Record<string, (stage: Stage) => Promise<OpenedLocation>> = {
  disk: async ({ storeLocation }) => {
    const directory = join(storeLocation.directory, 'received')
    return {
      files: createDiskStore(directory),
      async holds(bytes) {
        const entries = await readdir(directory, { recursive: true, withFileTypes: true })
        const paths = entries
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name))
        assert.ok(paths.length > 0)
        const contents = await Promise.all(paths.map((path) => readFile(path)))
        return contents.some((content) => content.includes(bytes))
      },
      close: async () => undefined,
    }
  },
  's3-compatible store': async () => {
    const server = await startObjectServer()
    const client = clientOf(server)
    return {
      files: createObjectStore(client, 'prefix/f00d'),
      holds: async (bytes) => [...server.objects.values()].some((object) => object.includes(bytes)),
      async close() {
        await client.close()
        await server.close()
      },
    }
  },
}
const ROWS = async ({ store }: Stage): Promise<OpenedLocation> => ({
  files: createRowStore(store),
  async holds(bytes) {
    const rows = await store.db.selectFrom('received_file_parts').select('sealed').execute()
    assert.ok(
      rows.every(({ sealed }) => sealed.length <= MB),
      'no part is larger than 1 MB',
    )
    return Buffer.concat(rows.map(({ sealed }) => sealed)).includes(bytes)
  },
  close: async () => undefined,
})

const receive = async (store: Store, tenant: Tenant): Promise<number> =>
  (await receiveFile(store, tenant)).rowId

for (const engine of engines) {
  const locations = engine.name === 'postgres' ? { ...LOCATIONS, 'rows of PostgreSQL': ROWS } : LOCATIONS
  for (const [name, open] of Object.entries(locations)) {
    describe(`files of received messages: ${name}, on ${engine.name}`, () => {
      let stage: Stage
      let opened: OpenedLocation
      let files: FileStore
      let vault: Vault
      let tenant: Tenant
      before(async () => {
        const storeLocation = await engine.createLocation()
        stage = { storeLocation, store: await openStore(storeLocation) }
        opened = await open(stage)
        files = opened.files
        vault = await openVault(stage.store.db, new Uint8Array(32))
        tenant = await makeTenant(stage.store)
      })
      after(async () => {
        await opened.close()
        await stage.store.close()
        await stage.storeLocation.dispose()
      })

      test('a file of any size is read as it was written', async () => {
        for (const size of [1, MB - 1, MB, MB + 1, 3 * MB]) {
          const rowId = await receive(stage.store, tenant)
          const bytes = randomBytes(size)
          assert.equal(await files.read(tenant.instanceId, rowId), null)
          await files.write(tenant.instanceId, rowId, bytes)
          assert.ok(bytes.equals((await files.read(tenant.instanceId, rowId)) as Buffer), `${size} bytes`)
        }
      })

      test('a second write replaces the file, also by a shorter one', async () => {
        const rowId = await receive(stage.store, tenant)
        for (const bytes of [randomBytes(2 * MB + 5), randomBytes(10)]) {
          await files.write(tenant.instanceId, rowId, bytes)
          assert.ok(bytes.equals((await files.read(tenant.instanceId, rowId)) as Buffer))
        }
      })

      // Nodes can write at the same time. On a disk there is one process, which writes a file once.
      if (name !== 'disk')
        test('two writes at the same time leave one of the two files', async () => {
          const rowId = await receive(stage.store, tenant)
          const versions = [randomBytes(2 * MB), randomBytes(MB + 7)]
          const isOneOf = (read: Uint8Array | null) =>
            read === null || versions.some((bytes) => bytes.equals(read))
          const writes = versions.map((bytes) => files.write(tenant.instanceId, rowId, bytes))
          assert.ok(isOneOf(await files.read(tenant.instanceId, rowId)))
          await Promise.all(writes)
          const read = await files.read(tenant.instanceId, rowId)
          assert.ok(read !== null && isOneOf(read))
        })

      test('files are listed by instance, and removed one by one or with their instance', async () => {
        const [one, other] = [await makeTenant(stage.store), await makeTenant(stage.store)]
        const rowIds = []
        for (let count = 0; count < 5; count += 1) rowIds.push(await receive(stage.store, one))
        const kept = await receive(stage.store, other)
        for (const rowId of rowIds) await files.write(one.instanceId, rowId, randomBytes(9))
        await files.write(other.instanceId, kept, randomBytes(9))
        const sorted = async () => (await files.fileIds(one.instanceId)).sort((a, b) => a - b)
        assert.deepEqual(await sorted(), rowIds)
        const known = await files.folderIds()
        assert.ok(known.includes(one.instanceId) && known.includes(other.instanceId))
        await files.remove(one.instanceId, rowIds[0] as number)
        await files.remove(one.instanceId, rowIds[0] as number)
        assert.deepEqual(await sorted(), rowIds.slice(1))
        assert.equal(await files.read(one.instanceId, rowIds[0] as number), null)
        await files.removeFolder(one.instanceId)
        assert.deepEqual(await sorted(), [])
        assert.ok(!(await files.folderIds()).includes(one.instanceId))
        assert.ok(await files.read(other.instanceId, kept), 'files of other instances stay')
      })

      test('a range of a file is read without the rest of it', async () => {
        const rowId = await receive(stage.store, tenant)
        const bytes = randomBytes(2 * MB + 100)
        assert.equal(await files.read(tenant.instanceId, rowId, { start: 0, length: 10 }), null)
        await files.write(tenant.instanceId, rowId, bytes)
        for (const [start, length] of [
          [0, 30],
          [MB - 1, 2],
          [5, 2 * MB],
          [2 * MB, 1000],
        ] as const) {
          const read = (await files.read(tenant.instanceId, rowId, { start, length })) as Buffer
          assert.ok(bytes.subarray(start, start + length).equals(read), `${start}, ${length}`)
        }
        const beyond = await files.read(tenant.instanceId, rowId, { start: 3 * MB, length: 10 })
        assert.equal(beyond?.length, 0)
      })

      test('a file of another instance is not found', async () => {
        const rowId = await receive(stage.store, tenant)
        await files.write(tenant.instanceId, rowId, randomBytes(9))
        assert.equal(await files.read(tenant.instanceId + 1, rowId), null)
      })

      test('the location gets encrypted bytes only, and none is readable after the log-out', async () => {
        const { store } = stage
        const received = createReceivedFiles({ locations: [files], store, vault, logger: silent })
        const owner = await makeTenant(store)
        const rowId = await receive(store, owner)
        const text = Buffer.from('a private picture')
        await received.put(owner.instanceId, rowId, text)
        assert.ok(text.equals((await wholeFile(received, owner.instanceId, rowId)) as Buffer))
        assert.equal(await opened.holds(text), false)
        await vault.destroy(store.db, instanceScope(owner.instanceId))
        assert.equal(await wholeFile(received, owner.instanceId, rowId), null)
      })

      test('files that an earlier setting left on the disk are read and removed', async () => {
        const { store } = stage
        const disk = createDiskStore(join(stage.storeLocation.directory, 'earlier'))
        const before = createReceivedFiles({ locations: [disk], store, vault, logger: silent })
        const now = createReceivedFiles({ locations: [files, disk], store, vault, logger: silent })
        const owner = await makeTenant(store)
        const [old, fresh] = [await receive(store, owner), await receive(store, owner)]
        await before.put(owner.instanceId, old, Buffer.from('old'))
        await now.put(owner.instanceId, fresh, Buffer.from('new'))
        assert.equal(String(await wholeFile(now, owner.instanceId, old)), 'old')
        assert.deepEqual(await disk.fileIds(owner.instanceId), [old], 'new files go to the new location')
        assert.deepEqual((await now.rowIds(owner.instanceId)).sort(), [old, fresh].sort())
        await now.remove(owner.instanceId, old)
        assert.equal(await wholeFile(now, owner.instanceId, old), null)
        await now.forget([owner.instanceId])
        assert.deepEqual(await now.rowIds(owner.instanceId), [])
      })
    })
  }
}

const silent = { warn: () => undefined }

async function onEngine(name: string, work: (stage: Stage) => Promise<void>): Promise<void> {
  const storeLocation = await engines.find((engine) => engine.name === name)?.createLocation()
  if (!storeLocation) return
  const store = await openStore(storeLocation)
  try {
    await work({ storeLocation, store })
  } finally {
    await store.close()
    await storeLocation.dispose()
  }
}

describe('rows of PostgreSQL', { skip: !engines.some(({ name }) => name === 'postgres') }, () => {
  test('are removed with the row of their message, and none is added after it', () =>
    onEngine('postgres', async ({ store }) => {
      const files = createRowStore(store)
      const tenant = await makeTenant(store)
      const rowId = await receive(store, tenant)
      await files.write(tenant.instanceId, rowId, randomBytes(9))
      await deleteFileRow(store.db, rowId)
      assert.equal(await files.read(tenant.instanceId, rowId), null)
      await files.write(tenant.instanceId, rowId, randomBytes(9))
      assert.deepEqual(await files.fileIds(tenant.instanceId), [])
    }))

  test('are all there or none, also when a write replaces a file', () =>
    onEngine('postgres', async ({ store }) => {
      const tenant = await makeTenant(store)
      const rowId = await receive(store, tenant)
      const interrupted = createRowStore({
        db: store.db,
        transaction: (work) =>
          store.transaction(async (tx) => {
            await work(tx)
            throw new Error('the process was killed before the commit')
          }),
      })
      const files = createRowStore(store)
      const write = () => interrupted.write(tenant.instanceId, rowId, randomBytes(3 * MB))
      await assert.rejects(write())
      assert.equal(await files.read(tenant.instanceId, rowId), null)
      const bytes = randomBytes(2 * MB)
      await files.write(tenant.instanceId, rowId, bytes)
      await assert.rejects(write())
      assert.ok(bytes.equals((await files.read(tenant.instanceId, rowId)) as Buffer))
    }))
})

test('while an object store cannot be reached, calls get 503, and files on the disk are still read', () =>
  onEngine('sqlite', async ({ store, storeLocation }) => {
    const server = await startObjectServer()
    const client = clientOf(server)
    const vault = await openVault(store.db, new Uint8Array(32))
    const { instanceId } = await makeTenant(store)
    const warnings: string[] = []
    const logger = { warn: (_: object, message: string) => void warnings.push(message) }
    const disk = createDiskStore(join(storeLocation.directory, 'received'))
    await createReceivedFiles({ locations: [disk], store, vault, logger }).put(
      instanceId,
      1,
      Buffer.from('old'),
    )
    server.fault = 503
    const files = createReceivedFiles({
      locations: [createObjectStore(client, 'f00d'), disk],
      store,
      vault,
      logger,
    })
    assert.equal(String(await wholeFile(files, instanceId, 1)), 'old')
    const isUnavailable = (error: unknown) => error instanceof GatewayError && error.reason === 'unavailable'
    await assert.rejects(wholeFile(files, instanceId, 2), isUnavailable)
    await assert.rejects(files.put(instanceId, 2, Buffer.from('x')), isUnavailable)
    await files.forget([instanceId])
    assert.match(warnings.join(), /the media fetcher will retry/)
    assert.equal(await disk.read(instanceId, 1), null)
    await client.close()
    await server.close()
  }))

test('the disk removes interrupted writes, and ignores names that do not belong to files of messages', async () => {
  const directory = await temporaryDirectory()
  const files = createDiskStore(directory)
  await files.write(7, 1, Buffer.from('x'))
  await writeFile(join(directory, '7', '2.part'), 'half')
  await mkdir(join(directory, 'other'))
  await files.removeInterrupted?.(7)
  assert.deepEqual([await files.folderIds(), await files.fileIds(7)], [[7], [1]])
  assert.deepEqual(await readdir(join(directory, '7')), ['1'])
  await rm(directory, { recursive: true })
})

test('an object store ignores objects that it has not written, and the check leaves none', async () => {
  const server = await startObjectServer()
  const client = clientOf(server)
  const files = createObjectStore(client, 'f00d')
  for (const key of ['f00d/readme', 'f00d/7/readme', 'beef/8/1']) server.objects.set(key, Buffer.from('x'))
  await files.write(7, 1, Buffer.from('x'))
  assert.deepEqual([await files.folderIds(), await files.fileIds(7)], [[7], [1]])
  await files.removeFolder(7)
  await checkObjectStore(client, 'some/')
  assert.deepEqual([...server.objects.keys()], ['f00d/readme', 'f00d/7/readme', 'beef/8/1'])
  await client.close()
  await server.close()
})
