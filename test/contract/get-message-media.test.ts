import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { recordArrival } from '../../src/domain/received.ts'
import type { ReceivedMessage } from '../../src/network/message.ts'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { type Fixture, scripted, withInstance } from './fixture.ts'

const ANA = { jid: '5511912345678@s.whatsapp.net', lid: null, phone: '5511912345678', pushName: 'Ana' }

/** A message with a file, as the network reports it. */
async function receive(
  { store, clock, instance }: Fixture,
  media: Partial<NonNullable<ReceivedMessage['media']>> | null,
): Promise<string> {
  const id = `3A${randomBytes(9).toString('hex').toUpperCase()}`
  const now = clock.now()
  await store.db
    .insertInto('inbox')
    .values({
      instance_id: instance.id,
      name: id,
      sealed: Buffer.from('x'),
      received_at: now,
      processed_at: null,
    })
    .execute()
  const file = {
    kind: 'document' as const,
    mimetype: 'application/pdf',
    fileName: 'bill.pdf',
    sizeBytes: 3,
    seconds: null,
    width: null,
    height: null,
    sha256: null,
    reference: { type: 'document' },
  }
  const message: ReceivedMessage = {
    id,
    chat: ANA.jid,
    addressedAs: { chat: ANA.jid, participant: null },
    from: ANA,
    fromMe: false,
    sentAtMs: now,
    type: media ? 'document' : 'text',
    text: 'see',
    media: media ? { ...file, ...media } : null,
    quoted: null,
    interactiveReplyId: null,
    content: {},
  }
  // As from the past, so that nobody fetches it but who asks.
  const report = { messages: [message], people: [], chats: [], isHistory: true }
  await recordArrival({ store, clock: clock.now }, instance.id, id, report)
  return id
}

contract('GET /messages/{messageId}/media', (gateway) => {
  const fixture = withInstance(gateway)
  const bytes = Buffer.from('%PDF <script>alert(1)</script>')

  test('200: the file with its type, to be saved and not to be shown', async () => {
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

  test('200: a page or a drawing with a script in it is a file to be saved like any other', async () => {
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

  test('404: no such message, one without a file, one whose file the network has no more', async () => {
    const running = await fixture()
    const get = (messageId: string) => running.mine.call('getMessageMedia', { params: { messageId } })
    assert.equal((await get('3A000000')).json.reason, 'message_not_found')
    assert.equal((await get(await receive(running, null))).json.reason, 'media_not_found')
    assert.equal((await get(await receive(running, { reference: null }))).json.reason, 'media_not_found')
    assert.equal((await get(await receive(running, {}))).json.reason, 'media_not_found')
  })

  test('503: while the instance is not connected', async () => {
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

  test('504: when the network does not answer in time', async () => {
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
