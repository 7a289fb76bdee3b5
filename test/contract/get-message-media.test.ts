import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { encodePayload } from '../../src/whatsapp/sending/payload.ts'
import { contract } from '../support/gateway.ts'
import { scripted, withInstance } from './fixture.ts'
import { receive, receiveOwn } from './received-message.ts'

contract('GET /messages/{messageId}/media', (gateway) => {
  const fixture = withInstance(gateway)
  const bytes = Buffer.from('%PDF <script>alert(1)</script>')

  test('200 returns the file with its media type, as a download', async () => {
    const running = await fixture()
    const messageId = await receive(running, { fileName: 'Rechnung "März"; (1).pdf' })
    const answer = await scripted(running, { downloadMedia: () => bytes }, () =>
      running.mine.call('getMessageMedia', { params: { messageId } }),
    )
    assert.equal(answer.status, 200)
    assert.ok(answer.bytes.equals(bytes))
    assert.equal(answer.headers.get('content-type'), 'application/pdf')
    assert.equal(
      answer.headers.get('content-disposition'),
      "attachment; filename*=UTF-8''Rechnung%20%22M%C3%A4rz%22%3B%20%281%29.pdf",
    )
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/)
  })

  test('200 returns HTML and SVG with scripts as a download', async () => {
    const running = await fixture()
    for (const mimetype of ['text/html', 'image/svg+xml']) {
      const messageId = await receive(running, { mimetype, fileName: null })
      const answer = await scripted(running, { downloadMedia: () => bytes }, () =>
        running.mine.call('getMessageMedia', { params: { messageId } }),
      )
      assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
      assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox; default-src 'none'/)
    }
  })

  test('200 returns the file of a message that was sent, by what its payload says', async () => {
    const running = await fixture()
    const body = { instanceName: running.instance.name, number: '5511912345678', fileName: 'ours.png' }
    const mediaUrl = 'https://example.com/a.png'
    const { messageId } = (await running.mine.call('sendMedia', { body: { ...body, mediaUrl } })).json
    const get = (answers: object = { downloadMedia: () => bytes }) =>
      scripted(running, answers, () => running.mine.call('getMessageMedia', { params: { messageId } }))
    const notSent = await get()
    assert.deepEqual([notSent.status, notSent.json.reason], [404, 'media_not_found'])
    const imageMessage = { directPath: '/v/a', mediaKey: Buffer.alloc(32, 7), mimetype: 'image/png' }
    const payload = encodePayload({ message: { imageMessage }, additionalNodes: [] })
    await running.store.savePayload({
      instanceId: running.instance.id,
      messageId,
      payload,
      acceptedAt: running.clock.now(),
    })
    let requested: unknown
    const answer = await get({
      downloadMedia: (_instanceId: number, reference: unknown) => {
        requested = reference
        return bytes
      },
    })
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
    assert.ok(answer.bytes.equals(bytes))
    assert.match(answer.headers.get('content-disposition') ?? '', /ours\.png$/)
    assert.deepEqual(requested, {
      type: 'image',
      directPath: '/v/a',
      mediaKey: Buffer.alloc(32, 7).toString('base64'),
      fileSha256: null,
      fileEncSha256: null,
      sizeBytes: null,
    })
    const gone = await get({ downloadMedia: () => null })
    assert.deepEqual([gone.status, gone.json.reason], [404, 'media_not_found'])
  })

  test('200 returns the file above the buttons of a message that was sent', async () => {
    const running = await fixture()
    const interactive = {
      header: { type: 'document', mediaUrl: 'https://example.com/a.pdf', fileName: 'Menu.pdf' },
      body: 'Today',
      buttons: [{ buttonId: 'a', buttonText: { displayText: 'A' } }],
    }
    const body = { instanceName: running.instance.name, number: '5511912345678', interactive }
    const { messageId } = (await running.mine.call('sendButton', { body })).json
    const documentMessage = {
      directPath: '/v/a',
      mediaKey: Buffer.alloc(32, 7),
      mimetype: 'application/pdf',
      fileName: 'Menu.pdf',
    }
    const interactiveMessage = { header: { hasMediaAttachment: true, documentMessage } }
    await running.store.savePayload({
      instanceId: running.instance.id,
      messageId,
      payload: encodePayload({ message: { interactiveMessage }, additionalNodes: [] }),
      acceptedAt: running.clock.now(),
    })
    const answer = await scripted(running, { downloadMedia: () => bytes }, () =>
      running.mine.call('getMessageMedia', { params: { messageId } }),
    )
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf'])
    assert.match(answer.headers.get('content-disposition') ?? '', /Menu\.pdf$/)
  })

  test("200 returns the receiver's file for a message between two instances of the account", async () => {
    const running = await fixture()
    const { messageId, sender, receiver } = await receiveOwn(running)
    const get = (query: Record<string, string>) =>
      scripted(running, { downloadMedia: () => bytes }, () =>
        running.mine.call('getMessageMedia', { params: { messageId }, query }),
      )
    for (const query of [{}, { instanceName: receiver }]) {
      const answer = await get(query)
      assert.equal(answer.status, 200, JSON.stringify(query))
      assert.ok(answer.bytes.equals(bytes))
    }
    const ofSender = await get({ instanceName: sender })
    assert.deepEqual([ofSender.status, ofSender.json.reason], [404, 'media_not_found'])
    const unknownInstance = await get({ instanceName: 'unknown-00000000' })
    assert.deepEqual([unknownInstance.status, unknownInstance.json.reason], [404, 'instance_not_found'])
  })

  test('200 when two instances received the message and only one is connected', async () => {
    const running = await fixture()
    const messageId = await receive(running, {})
    const second = await running.openInstance(running.mine)
    await receive({ ...running, instance: second }, {}, messageId)
    const downloadMedia = (instanceId: number) => {
      if (instanceId === running.instance.id) throw new NetworkError('unavailable', 'not connected')
      return bytes
    }
    const answer = await scripted(running, { downloadMedia }, () =>
      running.mine.call('getMessageMedia', { params: { messageId } }),
    )
    assert.equal(answer.status, 200)
  })

  test('404 when the message does not exist, has no file, or the network no longer has the file', async () => {
    const running = await fixture()
    const get = (messageId: string) => running.mine.call('getMessageMedia', { params: { messageId } })
    assert.equal((await get('3A000000')).json.reason, 'message_not_found')
    assert.equal((await get(await receive(running, null))).json.reason, 'media_not_found')
    assert.equal((await get(await receive(running, { reference: null }))).json.reason, 'media_not_found')
    assert.equal((await get(await receive(running, {}))).json.reason, 'media_not_found')
  })

  test('502 when the network refuses to list its media hosts', async () => {
    const running = await fixture()
    const messageId = await receive(running, {})
    const refused = () => {
      throw new NetworkError('refused', 'forbidden', undefined, 403)
    }
    const answer = await scripted(running, { downloadMedia: refused }, () =>
      running.mine.call('getMessageMedia', { params: { messageId } }),
    )
    assert.deepEqual([answer.status, answer.json.reason], [502, 'refused_by_network'])
  })

  test('503 when the instance is not connected', async () => {
    const running = await fixture()
    const messageId = await receive(running, {})
    const answers = { downloadMedia: () => assert.fail() }
    const away = () => {
      throw new NetworkError('unavailable', 'not connected')
    }
    const answer = await scripted(running, { ...answers, downloadMedia: away }, () =>
      running.mine.call('getMessageMedia', { params: { messageId } }),
    )
    assert.deepEqual([answer.status, answer.json.reason], [503, 'unavailable'])
  })

  test('504 when the network does not answer in time', async () => {
    const running = await fixture()
    const messageId = await receive(running, {})
    const late = () => {
      throw new NetworkError('timeout', 'late')
    }
    const answer = await scripted(running, { downloadMedia: late }, () =>
      running.mine.call('getMessageMedia', { params: { messageId } }),
    )
    assert.deepEqual([answer.status, answer.json.reason], [504, 'network_timeout'])
  })
})
