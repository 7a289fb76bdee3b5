// Files of received messages in an S3-compatible store: stored once, read without a request to the network, and 503 while the store
// fails.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { receive } from '../contract/received-message.ts'
import { engines } from '../support/engines.ts'
import { startGateway } from '../support/gateway.ts'
import { until } from '../support/linked.ts'
import { objectSettings, startObjectServer } from '../support/object-server.ts'

test('a received file is stored in the object store of FILES_URL', async () => {
  const [engine] = engines
  assert.ok(engine)
  const server = await startObjectServer()
  const gateway = await startGateway(engine, objectSettings(server))
  const storedFiles = (count: number) =>
    until(`${count} files in the store`, async () => (server.objects.size === count ? true : undefined))
  try {
    const bytes = randomBytes(1_500_000)
    gateway.sessions.script.downloadMedia = () => bytes
    const mine = await gateway.account()
    const instance = await gateway.openInstance(mine)
    // The first file creates the key of the instance. Without a key no file can be stored, and the network is queried at once.
    await wantFile(await receive({ ...gateway, instance }, {}))
    await storedFiles(1)
    const messageId = await receive({ ...gateway, instance }, {})
    const get = () => mine.call('getMessageMedia', { params: { messageId } })
    server.fault = 503
    await wantFile(messageId)
    const refused = await get()
    assert.deepEqual([refused.status, refused.json.reason], [503, 'unavailable'])
    assert.ok(refused.headers.get('retry-after'))
    assert.equal(server.objects.size, 1)

    server.fault = undefined
    // Past the next try. Further ahead, the store would refuse the time of the signature.
    gateway.clock.advance(5 * 60_000)
    await storedFiles(2)
    gateway.sessions.script.downloadMedia = () => assert.fail('the network is not queried')
    const answer = await get()
    assert.equal(answer.status, 200)
    assert.ok(answer.bytes.equals(bytes))
    for (const key of server.objects.keys())
      assert.match(key, new RegExp(`^some/prefix/[0-9a-f]{16}/${instance.id}/\\d+$`))

    await mine.call('logoutInstance', { query: { instanceName: instance.name } })
    await mine.call('deleteInstance', { query: { instanceName: instance.name } })
    assert.equal(server.objects.size, 0, 'removed with its instance')
  } finally {
    await gateway.stop()
    await server.close()
  }

  /** As a message that has just arrived. */
  async function wantFile(id: string): Promise<void> {
    const { row_id, instance_id } = await gateway.store.db
      .selectFrom('messages')
      .select(['row_id', 'instance_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const now = gateway.clock.now()
    await gateway.store.db
      .insertInto('received_files')
      .values({ message_row_id: row_id, instance_id, status: 'wanted', due_at: now, created_at: now })
      .execute()
  }
})
