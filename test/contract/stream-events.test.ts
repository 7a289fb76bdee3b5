// GET /events/stream
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventSourceClient, listen } from '../support/event-source.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'

contract('GET /events/stream', (gateway) => {
  const fixture = withInstance(gateway)
  const follow = async (
    query: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<EventSourceClient> => {
    const { url, mine } = await fixture()
    const address = new URL(`/api/v1/events/stream?${new URLSearchParams(query).toString()}`, url)
    return listen(address, { authorization: `Bearer ${mine.key}`, ...headers })
  }
  const send = async (message: string, instanceName?: string): Promise<string> => {
    const { mine, instance } = await fixture()
    const body = { instanceName: instanceName ?? instance.name, number: '5511912345678', message }
    return (await mine.call('sendText', { body })).json.messageId
  }
  const texts = (client: EventSourceClient) => client.heard.map((event) => event.data.data.text)

  test('200 streams new events, each with id, name and the body of a delivery', async () => {
    await send('before')
    const client = await follow()
    assert.deepEqual([client.status, client.contentType], [200, 'text/event-stream'])
    const messageId = await send('after')
    const [event] = await client.until(1)
    assert.equal(event?.event, 'messages.upsert')
    assert.equal(event?.data.data.messageId, messageId)
    const { mine } = await fixture()
    const read = await mine.call('listEvents', { query: { limit: 500 } })
    assert.deepEqual(event?.data, read.json.events.at(-1))
    assert.equal(event?.id, read.json.events.at(-1).id)
    client.close()
  })

  test('200 continues after a reconnect without gaps or duplicates', async () => {
    const first = await follow()
    const count = 40
    const sent: string[] = []
    const sending = (async () => {
      for (let n = 0; n < count; n += 1) sent.push(await send(`m${n}`))
    })()
    await first.until(5)
    first.close()
    const lastId = first.heard.at(-1)?.id as string
    await sending
    const second = await follow({}, { 'last-event-id': lastId })
    await second.until(count - first.heard.length)
    const heard = [...first.heard, ...second.heard].map((event) => event.data.data.messageId)
    assert.deepEqual(heard, sent)
    second.close()
  })

  test('200 streams a long backlog in order, in several reads of the log', async () => {
    const { store, instance } = await fixture()
    const mark = (await (await fixture()).mine.call('listEvents', { query: { limit: 500 } })).json.next
    const many = 700
    await store.transaction((tx) =>
      store.appendEvents(
        tx,
        Array.from({ length: many }, (_each, n) => ({
          instanceId: instance.id,
          name: 'chats.update' as const,
          data: JSON.stringify({ text: String(n) }),
          createdAt: 1_700_000_000_000,
        })),
      ),
    )
    const client = await follow({ after: mark })
    await client.until(many)
    assert.deepEqual(
      texts(client),
      Array.from({ length: many }, (_each, n) => String(n)),
    )
    client.close()
  })

  test('200 streams only the requested instance or events', async () => {
    const { mine, openInstance } = await fixture()
    const other = await openInstance(mine)
    const byInstance = await follow({ instanceName: other.name })
    const byName = await follow({ events: 'messages.update' })
    const id = await send('not for them')
    await send('for one', other.name)
    await mine.call('cancelMessage', { params: { messageId: id } })
    await Promise.all([byInstance.until(1), byName.until(1)])
    assert.deepEqual(texts(byInstance), ['for one'])
    assert.deepEqual(
      byName.heard.map((event) => [event.event, event.data.data.messageId]),
      [['messages.update', id]],
    )
    byInstance.close()
    byName.close()
  })

  test('200 ends the stream when the key is revoked', async () => {
    const { mine, url, clock } = await fixture()
    const made = await mine.call('createApiKey', { body: { name: 'listener', scopes: ['webhooks'] } })
    const client = await listen(new URL('/api/v1/events/stream', url), {
      authorization: `Bearer ${made.json.key}`,
    })
    await send('heard')
    await client.until(1)
    await mine.call('revokeApiKey', { params: { id: made.json.apiKey.id } })
    clock.advance(1000)
    await send('not heard')
    await client.ended
    assert.deepEqual(texts(client), ['heard'])
  })

  test('400 when after or Last-Event-ID is not valid', async () => {
    const { mine } = await fixture()
    assert.deepEqual(faultPaths(await mine.call('streamEvents', { query: { after: 'x' } })), ['after'])
    const answer = await mine.call('streamEvents', { headers: { 'last-event-id': 'evt_0_1' } })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['after'])
  })

  test('200 starts the response at once, so that a page knows it is connected', async () => {
    const answer = await (await fixture()).mine.call('streamEvents')
    assert.equal(answer.status, 200)
    assert.match(answer.bytes.toString(), /^retry: \d+\n\n/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  test('404 when the instance does not exist', async () => {
    const { mine } = await fixture()
    const answer = await mine.call('streamEvents', { query: { instanceName: 'unknown-00000000' } })
    assert.equal(answer.json.reason, 'instance_not_found')
  })
})
