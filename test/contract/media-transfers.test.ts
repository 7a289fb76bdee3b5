// Files of received messages for clients that do not read: they hold neither memory nor slots (promise H3).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { openFileLocations } from '../../src/app/file-locations.ts'
import { readSettings } from '../../src/config.ts'
import { readMasterKey } from '../../src/data-dir/secrets.ts'
import { createReceivedFiles, type ReceivedFiles } from '../../src/files/received-files.ts'
import { openVault } from '../../src/store/vault.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { Engine } from '../support/engines.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { type Fixture, scripted, shared, withInstance } from './fixture.ts'
import { receive } from './received-message.ts'

const MB = 1024 * 1024
const FILE_BYTES = 40 * MB
const PER_ACCOUNT = 8
const ACCOUNTS = 2
/** Each transfer holds a chunk in the stream and one in the socket, beside what is being decrypted. */
const PER_TRANSFER_BYTES = 5 * MB

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heldBytes(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The file of a received message, stored as the media fetcher stores it. */
async function storedFile({ files, ...running }: Stage & Pick<Fixture, 'instance'>): Promise<string> {
  const messageId = await receive(running, { sizeBytes: FILE_BYTES })
  const { row_id: rowId } = await running.store.db
    .selectFrom('messages')
    .select('row_id')
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow()
  await running.store.db
    .insertInto('received_files')
    .values({
      message_row_id: rowId,
      instance_id: running.instance.id,
      status: 'kept',
      due_at: null,
      created_at: running.clock.now(),
    })
    .execute()
  await files.put(running.instance.id, rowId, Buffer.alloc(FILE_BYTES, 7))
  return messageId
}

async function openDownload({ url }: Gateway, key: string, messageId: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const path = `/api/v1/messages/${messageId}/media`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  // The answer has begun; nothing is read from here on.
  await once(socket, 'readable')
  return socket
}

/** A send with a file that waits for approval. */
async function heldSend({ mine, instance }: Fixture): Promise<{ messageId: string; mediaId: string }> {
  const agent = await mine.call('createApiKey', { body: { name: 'Agent', approval: true } })
  const file = { body: 'a file', headers: { 'content-type': 'text/plain' } }
  const { mediaId } = (await mine.call('uploadMedia', file)).json
  const body = { instanceName: instance.name, number: '5511912345678', type: 'document', mediaId }
  const { messageId } = (await mine.call('sendMedia', { body, key: agent.json.key })).json
  return { messageId, mediaId }
}

interface Stage extends Gateway {
  files: ReceivedFiles
}

async function startStage(engine: Engine): Promise<Stage> {
  const storeLocation = await engine.createLocation()
  const gateway = await startGateway(engine, {}, {}, storeLocation)
  const { directory, databaseUrl } = storeLocation
  const settings = readSettings({ DATA_DIR: directory, DATABASE_URL: databaseUrl })
  const { locations } = await openFileLocations(settings, gateway.store, gateway.clock.now)
  const masterKey = await readMasterKey({ DATA_DIR: directory, MASTER_KEY: undefined })
  assert.ok(masterKey)
  const { store } = gateway
  const vault = await openVault(store.db, masterKey)
  const logger = pino({ level: 'silent' })
  return { ...gateway, files: createReceivedFiles({ locations, store, vault, logger }) }
}

for (const engine of behaviourEngines())
  describe(`downloads of received files on ${engine.name}`, () => {
    const stage = shared(() => startStage(engine))
    after(async () => (await stage()).stop())
    const fixture = withInstance(stage)

    test(`${PER_ACCOUNT * ACCOUNTS} clients that do not read add at most ${PER_TRANSFER_BYTES / MB} MB each, and a 9th of an account gets 429`, async () => {
      const running = { ...(await fixture()), ...(await stage()) }
      const messageId = await storedFile(running)
      const other = await running.account()
      const theirs = await storedFile({ ...running, instance: await running.openInstance(other) })
      const held = await heldSend(running)
      const before = heldBytes()
      const sockets: Socket[] = []
      for (let count = 0; count < PER_ACCOUNT; count += 1) {
        sockets.push(await openDownload(running, running.mine.key, messageId))
        sockets.push(await openDownload(running, other.key, theirs))
      }
      const refused = await running.mine.call('getMessageMedia', { params: { messageId } })
      assert.deepEqual([refused.status, refused.json.reason], [429, 'too_many_downloads'])
      assert.equal(refused.headers.get('retry-after'), '5')
      const refusedToo = await running.mine.call('getApprovalFile', { params: held })
      assert.deepEqual([refusedToo.status, refusedToo.json.reason], [429, 'too_many_downloads'])
      const addedBytes = heldBytes() - before
      assert.ok(
        addedBytes < sockets.length * PER_TRANSFER_BYTES,
        `${Math.round(addedBytes / MB)} MB were added`,
      )
      for (const socket of sockets) socket.resetAndDestroy()
      // Their slots are free when the server has seen the resets.
      for (;;) {
        const answer = await running.mine.call('getMessageMedia', { params: { messageId } })
        if (answer.status === 429) continue
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-length'), String(FILE_BYTES))
        assert.ok(answer.bytes.equals(Buffer.alloc(FILE_BYTES, 7)))
        break
      }
    })

    test('a 3rd download of an account from the network gets 429, and a slot is free after a refusal', async () => {
      const running = await fixture()
      const messageId = await receive(running, {})
      const bytes = Buffer.alloc(FILE_BYTES)
      await scripted(running, { downloadMedia: () => bytes }, async () => {
        const sockets = [
          await openDownload(running, running.mine.key, messageId),
          await openDownload(running, running.mine.key, messageId),
        ]
        const refused = await running.mine.call('getMessageMedia', { params: { messageId } })
        assert.deepEqual([refused.status, refused.json.reason], [429, 'too_many_downloads'])
        for (const socket of sockets) socket.resetAndDestroy()
        while ((await running.mine.call('getMessageMedia', { params: { messageId } })).status === 429)
          await pause(20)
      })
      for (let tries = 0; tries < 2 * PER_ACCOUNT; tries += 1) {
        const answer = await running.mine.call('getMessageMedia', { params: { messageId } })
        assert.deepEqual([answer.status, answer.json.reason], [404, 'media_not_found'])
      }
    })
  })
