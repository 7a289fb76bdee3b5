// POST /send/status
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATUS_FONTS } from '../../src/contract/status-body.ts'
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'
import { freshInstance, storedMessages } from './sender.ts'
import { uploadRules } from './upload-rules.ts'

const mediaUrl = 'https://example.com/photo.jpg'
const image = { type: 'image', message: undefined }
const plain = { backgroundColor: '#128c7e', textColor: '#ffffff', font: 'system' }

contract('POST /send/status', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendStatus', type: 'text', drawsDelay: false, to: 'status' })
  uploadRules(fixture, 'sendStatus', (file) => ({ ...image, ...file }))

  stores(fixture, 'sendStatus', 'stores a text with its colours and font', [
    [{}, { message: 'hi', ...plain }],
    [{ backgroundColor: '#FF8800' }, { message: 'hi', ...plain, backgroundColor: '#ff8800' }],
    ...STATUS_FONTS.map((font) => [{ font }, { message: 'hi', ...plain, font }] as const),
  ])

  stores(fixture, 'sendStatus', 'stores a file with its caption and the audience', [
    [{ ...image, mediaUrl }, { mediaUrl }],
    [
      { ...image, mediaUrl, caption: 'new' },
      { message: 'new', mediaUrl },
    ],
    [
      { type: 'video', message: 'new', mediaUrl, to: ['+55 (11) 91234-5678', '5511987654321'] },
      { message: 'new', mediaUrl, to: ['5511912345678', '5511987654321'] },
    ],
  ])

  refuses(fixture, 'sendStatus', 'a field does not fit the type', [
    [{ message: undefined }, 'message'],
    [{ message: '' }, 'message'],
    [{ message: 'x'.repeat(701) }, 'message'],
    [{ mediaUrl }, 'mediaUrl'],
    [{ caption: 'hi' }, 'caption'],
    [{ ...image, mediaUrl, message: 'a', caption: 'b' }, 'caption'],
    [{ mediaId: `media-${'A'.repeat(22)}` }, 'mediaId'],
    [image, 'mediaUrl'],
    [{ ...image, mediaUrl, message: 'x'.repeat(1025) }, 'message'],
    [{ ...image, mediaUrl, backgroundColor: '#112233' }, 'backgroundColor'],
    [{ ...image, mediaUrl, textColor: '#112233' }, 'textColor'],
    [{ ...image, mediaUrl, font: 'bold' }, 'font'],
  ])

  refuses(fixture, 'sendStatus', 'a value is not valid or a field is unknown', [
    [{ type: 'audio' }, 'type'],
    [{ backgroundColor: 'red' }, 'backgroundColor'],
    [{ textColor: '#12345' }, 'textColor'],
    [{ font: 'comic' }, 'font'],
    [{ to: [] }, 'to'],
    [{ to: '5511912345678' }, 'to'],
    [{ to: ['123'] }, 'to.0'],
    [{ to: ['5511912345678', '+5511912345678'] }, 'to'],
    [{ number: '5511912345678' }, 'number'],
    [{ quotedMessageId: 'x' }, 'quotedMessageId'],
    [{ delay: 0 }, 'delay'],
  ])

  test('400 url_not_allowed when mediaUrl leads to a private address', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, 'sendStatus')
    const answer = await send({ ...image, mediaUrl: 'http://127.0.0.1/a.jpg' })
    assert.deepEqual([answer.status, answer.json.reason], [400, 'url_not_allowed'])
    assert.deepEqual(await storedMessages(running, instance.id), [])
  })

  test('200 lists status posts under their chat, and with no number or group', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, 'sendStatus')
    const { messageId } = (await send()).json
    const query = { instanceName: instance.name, chat: 'status@broadcast' }
    const { messages } = (await running.mine.call('listMessages', { query })).json
    assert.deepEqual(
      messages.map((message: Record<string, unknown>) => [
        message.messageId,
        message.chat,
        message.number,
        message.groupJid,
      ]),
      [[messageId, 'status@broadcast', null, null]],
    )
    const { chats } = (await running.mine.call('listChats', { query: { instanceName: instance.name } })).json
    assert.deepEqual(chats, [])
  })

  test('409 message_is_status when a status is edited, pinned or reacted to', async () => {
    const running = await fixture()
    const { send } = await freshInstance(running, 'sendStatus')
    const params = { messageId: (await send()).json.messageId }
    for (const [id, body] of [
      ['editMessage', { message: 'other' }],
      ['pinMessage', { seconds: 86_400 }],
      ['reactToMessage', { emoji: '👍' }],
    ] as const) {
      const answer = await running.mine.call(id, { params, body })
      assert.deepEqual([answer.status, answer.json.reason], [409, 'message_is_status'], id)
    }
    const deleted = await running.mine.call('deleteMessage', { params })
    assert.deepEqual([deleted.status, deleted.json.type], [200, 'delete'])
  })
})
