// The Evolution dialect on what is stored: names that are given again, and channels among the chats.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { Engine } from '../support/engines.ts'
import { assertRefused, type EvolutionClient, evolutionClient } from '../support/evolution.ts'
import { startGateway } from '../support/gateway.ts'
import { shared } from './fixture.ts'

for (const engine of behaviourEngines())
  describe(`stored names and chats in the Evolution dialect on ${engine.name}`, () => declare(engine))

function declare(engine: Engine): void {
  const gateway = shared(() => startGateway(engine, { COMPAT: 'evolution' }))
  after(async () => (await gateway()).stop())

  const newAccount = async () => {
    const running = await gateway()
    const account = await running.account()
    return { running, account, client: evolutionClient(running.url, account.key) }
  }
  const create = async (client: EvolutionClient, instanceName: string) => {
    const reply = await client('POST /instance/create', { instanceName })
    assert.equal(reply.status, 201, JSON.stringify(reply.json))
    return reply.json
  }

  test('a name that is given again means the new instance at once', async () => {
    const { running, client, account } = await newAccount()
    const stateOf = async () => (await client('GET /instance/connectionState/again')).json
    const first = await create(client, 'again')
    await running.sessions.open(Number(first.instance.instanceId), '5511900000009')
    assert.equal((await stateOf()).instance.state, 'open')
    assert.equal((await client('DELETE /instance/delete/again')).status, 200)
    const second = await create(client, 'again')
    assert.notEqual(second.instance.instanceId, first.instance.instanceId)
    assert.deepEqual((await stateOf()).instance, { instanceName: 'again', state: 'connecting' })
    // Deleted by the API of this gateway, which does not know names of the dialect.
    const [{ apiInstanceName: instanceName }] = (await account.call('listInstances')).json.instances
    assert.equal((await account.call('deleteInstance', { query: { instanceName } })).status, 200)
    assertRefused(await client('GET /instance/connectionState/again'), 404, /does not exist/)
    const third = await create(client, 'again')
    assert.equal((await stateOf()).instance.state, 'connecting')
    assert.notEqual(third.instance.instanceId, second.instance.instanceId)
  })

  test('200 findChannels lists the channels among the chats, in pages', async () => {
    const { running, client } = await newAccount()
    const { instance } = await create(client, 'channels')
    const row = {
      instance_id: Number(instance.instanceId),
      is_group: 0 as const,
      created_at: 1,
      updated_at: 1,
    }
    const chats = [
      '120363000000000007@newsletter',
      '120363000000000008@newsletter',
      '5511900000001@s.whatsapp.net',
    ]
    await running.store.db
      .insertInto('chats')
      .values(
        chats.map((jid, index) => ({
          ...row,
          jid,
          name: `Name ${index}`,
          active_at: index + 1,
          last_message_at: 2000 * (index + 1),
        })),
      )
      .execute()
    const find = async (body: object) => (await client('POST /chat/findChannels/channels', body)).json
    const second = { remoteJid: chats[1], pushName: 'Name 1', lastMessageTimestamp: 4 }
    const answer = await find({ limit: 1 })
    assert.deepEqual(answer, { total: 2, pages: 2, currentPage: 1, limit: 1, records: [second] })
    assert.equal((await find({ limit: 1, page: 2 })).records[0].remoteJid, chats[0])
  })
}
