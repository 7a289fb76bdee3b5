// Uploaded files are removed when they have expired, not before, and leftovers of a crash too. On every engine and in every location.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { type Engine, engines } from '../../test/support/engines.ts'
import { until } from '../../test/support/linked.ts'
import { openStore } from '../../test/support/open-store.ts'
import type { Caller } from '../accounts/caller.ts'
import { makeAccount, makeInstance, makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { accountScope, openVault, type Vault } from '../store/vault.ts'
import { createDiskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'
import { endUpload, findUpload } from './upload-queries.ts'
import { createUploadRowStore } from './upload-row-store.ts'
import { removeEndedUploads, removeOrphanedUploads, startUploadSweep } from './upload-sweep.ts'
import { createUploadedFiles, FileGoneError, type UploadedFiles } from './uploaded-files.ts'
import { keepUploads, storeFetched, storeUpload } from './uploads.ts'

const HOUR_MS = 60 * 60 * 1000
const MB = 1024 * 1024
const logger = pino({ level: 'silent' })

interface Stage {
  store: Store
  vault: Vault
  location: FileStore
  uploads: UploadedFiles
  accountId: number
  time: { now: number }
  clock: () => number
  upload(bytes: Buffer): Promise<string>
}

async function withUploads(
  engine: Engine,
  open: (store: Store, directory: string) => FileStore,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const at = await engine.createLocation()
  const store = await openStore(at)
  try {
    const vault = await openVault(store.db, new Uint8Array(32))
    const location = open(store, at.directory)
    const uploads = createUploadedFiles({ locations: [location], store, vault })
    const accountId = await makeAccount(store)
    const time = { now: NOON }
    const clock = () => time.now
    const caller = { account: { id: accountId } } as Caller
    const upload = async (bytes: Buffer) => {
      const file = {
        bytes: arriving(bytes),
        contentType: 'application/octet-stream',
        sizeBytes: bytes.length,
      }
      return (await storeUpload({ store, clock, uploads }, caller, file)).mediaId
    }
    await work({ store, vault, location, uploads, accountId, time, clock, upload })
  } finally {
    await store.close()
    await at.dispose()
  }
}

/** As from a socket: in pieces of any size. */
async function* arriving(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_537) yield bytes.subarray(at, at + 65_537)
}

const LOCATIONS: Record<string, (store: Store, directory: string) => FileStore> = {
  disk: (_, directory) => createDiskStore(join(directory, 'sendable')),
  rows: (store) => createUploadRowStore(store),
}

async function read({ store, uploads, accountId }: Stage, mediaId: string): Promise<Buffer> {
  const row = await findUpload(store.db, accountId, mediaId)
  assert.ok(row)
  return buffer(uploads.read({ accountId, uploadId: row.id }, row.size_bytes))
}

for (const engine of engines)
  for (const [name, open] of Object.entries(LOCATIONS).filter(
    ([name]) => name === 'disk' || engine.name === 'postgres',
  ))
    describe(`uploaded files: ${name}, on ${engine.name}`, () => {
      test('of any size are read as they were written, and only with the key of their account', () =>
        withUploads(engine, open, async (stage) => {
          for (const size of [1, MB - 1, MB, MB + 1, 3 * MB]) {
            const bytes = randomBytes(size)
            assert.ok((await read(stage, await stage.upload(bytes))).equals(bytes), `${size} bytes`)
          }
          const secret = Buffer.from('a private picture')
          const mediaId = await stage.upload(secret)
          const [uploadId = 0] = (await stage.location.folderIds()).toSorted((a, b) => b - a)
          const sealed = await stage.location.read(uploadId, 1)
          assert.ok(sealed && !Buffer.from(sealed).includes(secret))
          await stage.vault.destroy(stage.store.db, accountScope(stage.accountId))
          await assert.rejects(read(stage, mediaId), FileGoneError)
        }))

      test('parts cannot be exchanged', () =>
        withUploads(engine, open, async (stage) => {
          const mediaId = await stage.upload(randomBytes(2 * MB))
          const [uploadId = 0] = await stage.location.folderIds()
          await stage.location.write(uploadId, 1, (await stage.location.read(uploadId, 2)) as Uint8Array)
          await assert.rejects(read(stage, mediaId), FileGoneError)
        }))

      test('can be ended early: the file of an accepted message stays until it is sent', () =>
        withUploads(engine, open, async (stage) => {
          const { store, time, accountId, upload } = stage
          const unused = await upload(Buffer.from('unused'))
          const used = await upload(Buffer.from('used'))
          const keep = (mediaId: string) => {
            const message = { kind: 'document', content: { mediaId } } as const
            return keepUploads(stage, accountId, message, { dueAt: time.now, idempotencyKey: undefined })
          }
          await keep(used)
          assert.equal(await endUpload(store.db, accountId + 1, unused, time.now), false)
          for (const mediaId of [unused, used]) {
            assert.equal(await endUpload(store.db, accountId, mediaId, time.now), true)
            assert.equal(await endUpload(store.db, accountId, mediaId, time.now), false)
            await assert.rejects(keep(mediaId), { reason: 'media_not_found' })
          }
          assert.equal(await removeEndedUploads({ ...stage, logger }), 1)
          assert.equal(await findUpload(store.db, accountId, unused), undefined)
          assert.equal(String(await read(stage, used)), 'used')
        }))

      test('are removed after 24 hours, unless an accepted message still has to be sent', () =>
        withUploads(engine, open, async (stage) => {
          const { store, time, accountId, upload, location } = stage
          const unused = await upload(Buffer.from('unused'))
          const used = await upload(Buffer.from('used'))
          time.now += 23 * HOUR_MS
          const message = { kind: 'document', content: { mediaId: used } } as const
          await keepUploads(stage, accountId, message, { dueAt: time.now, idempotencyKey: undefined })
          assert.equal(await removeEndedUploads({ ...stage, logger }), 0)
          time.now += HOUR_MS
          assert.equal(await removeEndedUploads({ ...stage, logger }), 1)
          assert.equal(await findUpload(store.db, accountId, unused), undefined)
          time.now += 24 * HOUR_MS
          assert.equal(await removeEndedUploads({ ...stage, logger }), 0)
          assert.equal(
            String(await read(stage, used)),
            'used',
            'a message of the last hour can still be sent',
          )
          time.now += 3 * HOUR_MS
          assert.equal(await removeEndedUploads({ ...stage, logger }), 1)
          assert.deepEqual(await location.folderIds(), [])
        }))

      test('a scheduled message keeps its file until its time', () =>
        withUploads(engine, open, async (stage) => {
          const { time, accountId, upload } = stage
          const mediaId = await upload(Buffer.from('later'))
          const message = { kind: 'document', content: { mediaId } } as const
          const dueAt = NOON + 1000 * HOUR_MS
          await keepUploads(stage, accountId, message, { dueAt, idempotencyKey: undefined })
          time.now = dueAt + HOUR_MS
          assert.equal(await removeEndedUploads({ ...stage, logger }), 0)
          assert.equal(String(await read(stage, mediaId)), 'later')
        }))

      test('a file that was fetched for a send belongs to it: no other send can use it, and it goes when the send has ended', () =>
        withUploads(engine, open, async (stage) => {
          const { store, time, accountId, location } = stage
          const fetch = () =>
            storeFetched(stage, accountId, {
              bytes: arriving(Buffer.from('approved')),
              sizeBytes: 8,
              mimetype: 'text/plain',
            })
          const key = { id: 1, perDay: null, day: 0, approveBy: NOON + 24 * HOUR_MS }
          const instanceId = await makeInstance(store, accountId)
          const send = (await makeTenant(store)).send({ accountId, instanceId, key })
          const [held, left] = [await fetch(), await fetch()]
          const { outcome } = await store.acceptSend({
            ...send,
            held: { uploadIds: [held.uploadId], until: NOON + 50 * HOUR_MS },
          })
          assert.equal(outcome, 'accepted')
          const message = { kind: 'document', content: { mediaId: held.mediaId } } as const
          await assert.rejects(
            keepUploads(stage, accountId, message, { dueAt: time.now, idempotencyKey: undefined }),
            { reason: 'media_not_found' },
          )
          // The file of a send that was never accepted, as after a crash.
          time.now += HOUR_MS
          assert.equal(await removeEndedUploads({ ...stage, logger }), 1)
          assert.equal(await findUpload(store.db, accountId, left.mediaId), undefined)
          for (const status of ['awaiting_approval', 'scheduled', 'queued', 'sending']) {
            await store.db.updateTable('messages').set({ status }).where('id', '=', send.messageId).execute()
            assert.equal(await removeEndedUploads({ ...stage, logger }), 0, status)
          }
          assert.equal(String(await read(stage, held.mediaId)), 'approved')
          await store.db
            .updateTable('messages')
            .set({ status: 'failed' })
            .where('id', '=', send.messageId)
            .execute()
          assert.equal(await removeEndedUploads({ ...stage, logger }), 1)
          assert.deepEqual(await location.folderIds(), [])
        }))

      test('what a crash has left is removed: an upload without an end, and files without a row', () =>
        withUploads(engine, open, async (stage) => {
          const { store, time, location, uploads, accountId } = stage
          const kept = await stage.upload(Buffer.from('kept'))
          const left = await stage.upload(Buffer.from('left'))
          await store.db
            .updateTable('media_uploads')
            .set({ sha256: null, expires_at: NOON + HOUR_MS, kept_until: NOON + HOUR_MS })
            .where('media_id', '=', left)
            .execute()
          // A part of an upload whose row is gone. Rows of PostgreSQL are removed together with it.
          if (name === 'disk') await location.write(999, 1, Buffer.from('x'))
          time.now += HOUR_MS
          const sweep = startUploadSweep({ ...stage, logger })
          await until('one file', async () => ((await uploads.uploadIds()).length === 1 ? true : undefined))
          await sweep.stop()
          assert.ok(await findUpload(store.db, accountId, kept))
          assert.equal(String(await read(stage, kept)), 'kept')
        }))

      test('files of a deleted account are removed', () =>
        withUploads(engine, open, async (stage) => {
          await stage.upload(Buffer.from('x'))
          await stage.store.db.deleteFrom('accounts').where('id', '=', stage.accountId).execute()
          await removeOrphanedUploads({ ...stage, logger })
          assert.deepEqual(await stage.location.folderIds(), [])
        }))
    })
