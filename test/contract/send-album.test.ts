// POST /send/album
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, UNLIMITED_PLAN, withInstance } from './fixture.ts'
import { sampleCall } from './group-rules.ts'
import { usedUpKey } from './key-limit.ts'
import { storedMessages } from './sender.ts'

const file = (name: string, more: object = {}) => ({ mediaUrl: `https://example.com/${name}`, ...more })

contract('POST /send/album', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'sendAlbum')
  /** On an instance of its own. */
  const sending = async () => {
    const running = await fixture()
    const instance = await running.openInstance(running.mine)
    const send = (files: unknown, more: object = {}, headers: Record<string, string> = {}) =>
      running.mine.call('sendAlbum', {
        body: { instanceName: instance.name, number: '5511912345678', files, ...more },
        headers,
      })
    return { running, instance, send, stored: () => storedMessages(running, instance.id) }
  }

  test('429 when the key has used its messages of the day', async () => {
    const { running, instance, stored } = await sending()
    const answer = await running.mine.call('sendAlbum', {
      key: await usedUpKey(running, running.mine),
      body: { instanceName: instance.name, number: '5511912345678', files: [file('a.jpg'), file('b.jpg')] },
    })
    assert.deepEqual([answer.status, answer.json.reason], [429, 'key_limit_reached'])
    assert.equal((await stored()).length, 0)
  })

  test('200 accepts the announcement and one message for each file, in their order', async () => {
    const { send, stored } = await sending()
    const answer = await send([
      file('a.jpg', { message: 'A' }),
      file('b.mp4', { caption: 'B' }),
      file('c', { type: 'image' }),
    ])
    assert.equal(answer.status, 200)
    const { messageId, type, members } = answer.json
    assert.deepEqual([type, answer.json.status], ['album', 'queued'])
    const rows = await stored()
    assert.deepEqual(
      rows.map(({ id, kind, status }) => [id, kind, status]),
      [
        [messageId, 'album', 'queued'],
        ...members.map((member: { messageId: string; type: string }) => [
          member.messageId,
          member.type,
          'queued',
        ]),
      ],
    )
    assert.deepEqual(
      members.map((member: { type: string }) => member.type),
      ['image', 'video', 'image'],
    )
    const [album, ...files] = rows.map(({ content }) => JSON.parse(content))
    assert.deepEqual([album.images, album.videos], [2, 1])
    assert.deepEqual(
      files.map(({ message, album: of }) => [message, of.messageId]),
      [
        ['A', messageId],
        ['B', messageId],
        [undefined, messageId],
      ],
    )
  })

  test('200 counts the files and not the announcement, and refuses an album that the plan does not allow', async () => {
    const running = await fixture()
    const limits = { ...UNLIMITED_PLAN, messages: 3 }
    const small = await running.account({ limits })
    const { name, id } = await running.openInstance(small)
    const body = { instanceName: name, number: '5511912345678', files: [file('a.jpg'), file('b.jpg')] }
    assert.equal((await small.call('sendAlbum', { body })).status, 200)
    const refused = await small.call('sendAlbum', { body })
    assert.deepEqual([refused.status, refused.json.reason, refused.json.used], [403, 'limit_reached', 2])
    assert.equal((await storedMessages(running, id)).length, 3)
  })

  test('429 as a whole when the key has not enough messages of the day left', async () => {
    const { running, instance, stored } = await sending()
    const made = await running.mine.call('createApiKey', { body: { name: 'Three', messagesPerDay: 3 } })
    const send = (...names: string[]) =>
      running.mine.call('sendAlbum', {
        key: made.json.key,
        body: {
          instanceName: instance.name,
          number: '5511912345678',
          files: names.map((name) => file(name)),
        },
      })
    assert.equal((await send('a.jpg', 'b.jpg')).status, 200)
    const { status, json } = await send('c.jpg', 'd.jpg')
    assert.deepEqual([status, json.reason, json.limit, json.used], [429, 'key_limit_reached', 3, 2])
    assert.equal((await stored()).length, 3)
  })

  test('200 once with an Idempotency-Key; 422 for other files', async () => {
    const { send, stored } = await sending()
    const key = { 'idempotency-key': 'album-1' }
    const first = await send([file('a.jpg'), file('b.jpg')], {}, key)
    const second = await send([file('a.jpg'), file('b.jpg')], {}, key)
    assert.deepEqual(second.json, first.json)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.equal((await stored()).length, 3)
    const other = await send([file('a.jpg'), file('c.jpg')], {}, key)
    assert.deepEqual([other.status, other.json.reason], [422, 'idempotency_key_reused'])
  })

  test('200 completes an album of which only a part was accepted', async () => {
    const { running, instance, send, stored } = await sending()
    const key = { 'idempotency-key': 'album-2' }
    const { json } = await send([file('a.jpg'), file('b.jpg')], {}, key)
    const [, lost] = json.members
    await running.store.db.deleteFrom('messages').where('id', '=', lost.messageId).execute()
    await running.store.db
      .deleteFrom('idempotency_keys')
      .where('key', 'like', `%${json.messageId}:1`)
      .execute()
    assert.equal((await stored()).length, 2)
    const again = await send([file('a.jpg'), file('b.jpg')], {}, key)
    assert.deepEqual(again.json.members, json.members)
    assert.deepEqual(
      (await storedMessages(running, instance.id)).map(({ id }) => id).toSorted(),
      [json.messageId, ...json.members.map((member: { messageId: string }) => member.messageId)].toSorted(),
    )
  })

  test('200 schedules all of its messages', async () => {
    const { running, send, stored } = await sending()
    const sendAt = new Date(running.clock.now() + 3_600_000).toISOString()
    const answer = await send([file('a.jpg'), file('b.jpg')], { sendAt })
    assert.deepEqual([answer.status, answer.json.status], [200, 'scheduled'])
    assert.deepEqual(
      (await stored()).map(({ status }) => status),
      ['scheduled', 'scheduled', 'scheduled'],
    )
  })

  test('400 when files are too few, too many, not valid, or neither images nor videos', async () => {
    const { send, stored } = await sending()
    const wrong: [unknown, string][] = [
      [undefined, 'files'],
      [[file('a.jpg')], 'files'],
      [Array.from({ length: 31 }, () => file('a.jpg')), 'files'],
      [[file('a.jpg'), {}], 'files.1.mediaUrl'],
      [[file('a.jpg'), file('b.pdf')], 'files.1.type'],
      [[file('a.jpg'), file('b')], 'files.1.type'],
      [[file('a.jpg'), file('b.jpg', { type: 'audio' })], 'files.1.type'],
      [[file('a.jpg', { message: 'A', caption: 'B' }), file('b.jpg')], 'files.0.caption'],
    ]
    for (const [files, path] of wrong) {
      const answer = await send(files)
      assert.equal(answer.status, 400, JSON.stringify(files))
      assert.deepEqual(faultPaths(answer), [path])
    }
    assert.deepEqual(await stored(), [])
  })

  test('400 when a URL is not allowed', async () => {
    const { send, stored } = await sending()
    const answer = await send([file('a.jpg'), { mediaUrl: 'http://127.0.0.1/b.jpg' }])
    assert.deepEqual([answer.status, answer.json.reason], [400, 'url_not_allowed'])
    assert.deepEqual(faultPaths(answer), ['files.1.mediaUrl'])
    assert.deepEqual(await stored(), [])
  })

  test('404 when an uploaded file or the quoted message is unknown', async () => {
    const { send, stored } = await sending()
    const unknown = { mediaId: 'media-4fzyo82mvyrQ0b1cT7n_xA' }
    const answer = await send([file('a.jpg'), { ...unknown, type: 'image' }])
    assert.deepEqual([answer.status, answer.json.reason], [404, 'media_not_found'])
    const quoted = await send([file('a.jpg'), file('b.jpg')], { quotedMessageId: '3EB0000000000000000000' })
    assert.deepEqual([quoted.status, quoted.json.reason], [404, 'message_not_found'])
    assert.deepEqual(await stored(), [])
  })

  test('409 when the quoted message was never sent or was deleted', async () => {
    const { running, instance, send } = await sending()
    const to = { instanceName: instance.name, number: '5511912345678' }
    const quoteAfter = async (id: 'cancelMessage' | 'deleteMessage') => {
      const { json } = await running.mine.call('sendText', { body: { ...to, message: 'first' } })
      await running.mine.call(id, { params: { messageId: json.messageId } })
      return send([file('a.jpg'), file('b.jpg')], { quotedMessageId: json.messageId })
    }
    const cancelled = await quoteAfter('cancelMessage')
    assert.deepEqual([cancelled.status, cancelled.json.reason], [409, 'message_not_sent'])
    const deleted = await quoteAfter('deleteMessage')
    assert.deepEqual([deleted.status, deleted.json.reason], [409, 'message_deleted'])
  })

  test('404 when the instance does not exist', async () => {
    const body = {
      instanceName: 'support-00000000',
      number: '5511912345678',
      files: [file('a.jpg'), file('b.jpg')],
    }
    const answer = await call({ body })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })

  test('409 when the instance is not connected, 429 when its queue is full', async () => {
    const { running, instance, send } = await sending()
    const setDepth = (queued_count: number) =>
      running.store.db.updateTable('instances').set({ queued_count }).where('id', '=', instance.id).execute()
    await setDepth(1_000_000)
    const full = await send([file('a.jpg'), file('b.jpg')])
    assert.deepEqual([full.status, full.json.reason], [429, 'queue_full'])
    await setDepth(0)
    const created = await running.mine.call('createInstance', { body: { instanceName: 'New' } })
    const answer = await send([file('a.jpg'), file('b.jpg')], {
      instanceName: created.json.instance.apiInstanceName,
    })
    assert.deepEqual([answer.status, answer.json.reason], [409, 'instance_not_connected'])
  })
})
