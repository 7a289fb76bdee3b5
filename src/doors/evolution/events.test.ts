import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import type { EventData, EventName } from '../../contract/events.ts'
import type { EventToFormat } from '../../webhooks/delivery-format.ts'
import { createEvolutionFormat, type EventFacts, signedToken, toEvolutionEvent } from './deliver.ts'

const JID = '5511912345678@s.whatsapp.net'
const GROUP = '120363000000000000@g.us'
const AT = '2026-01-31T12:00:00.000Z'
const SECONDS = Date.parse(AT) / 1000
const PERSON = { jid: JID, lid: '111222333@lid', phone: '5511912345678', pushName: 'Ana' }
const FACTS: EventFacts = {
  instance: 'Shop',
  instanceId: 7,
  ownJid: '5511900000001@s.whatsapp.net',
  direction: null,
  qr: null,
  fileBase64: null,
}

const convert = <N extends EventName>(name: N, data: EventData<N>, facts: Partial<EventFacts> = {}) =>
  toEvolutionEvent(name, data, { ...FACTS, ...facts })

const upsert = (change: Partial<EventData<'messages.upsert'>> = {}): EventData<'messages.upsert'> => ({
  messageId: 'ID',
  chat: JID,
  lid: '111222333@lid',
  direction: 'incoming',
  from: PERSON,
  type: 'text',
  text: 'Hello',
  media: null,
  quoted: null,
  interactiveReplyId: null,
  target: null,
  content: {},
  status: 'delivered',
  sentAt: AT,
  ...change,
})
interface Shown {
  message: any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
  messageType: string
  key: object
}
const messageOf = (change: Partial<EventData<'messages.upsert'>>, facts?: Partial<EventFacts>) => {
  const { names, data } = convert('messages.upsert', upsert(change), facts) ?? assert.fail()
  return { names, ...(data as Shown) }
}
const dataOf = <N extends EventName>(name: N, data: EventData<N>, facts?: Partial<EventFacts>) =>
  (convert(name, data, facts) ?? assert.fail()).data as Record<string, unknown>

describe('messages.upsert', () => {
  test('a received text, with both identifiers of the person', () => {
    assert.deepEqual(convert('messages.upsert', upsert()), {
      names: ['messages.upsert'],
      data: {
        key: { remoteJid: JID, fromMe: false, id: 'ID', remoteJidAlt: '111222333@lid' },
        pushName: 'Ana',
        status: 'DELIVERY_ACK',
        message: { conversation: 'Hello' },
        contextInfo: null,
        messageType: 'conversation',
        messageTimestamp: SECONDS,
        instanceId: '7',
        source: 'unknown',
      },
    })
  })

  test('in a group the author is the participant', () => {
    const { key } = messageOf({ chat: GROUP, lid: null })
    const participant = { participant: JID, participantAlt: '111222333@lid' }
    assert.deepEqual(key, { remoteJid: GROUP, fromMe: false, id: 'ID', ...participant })
  })

  test('a message that was accepted here is send.message; one of the phone is messages.upsert', () => {
    for (const status of ['queued', 'scheduled'] as const)
      assert.deepEqual(messageOf({ direction: 'outgoing', status }).names, ['send.message'])
    assert.deepEqual(messageOf({ direction: 'outgoing', status: 'sent' }).names, ['messages.upsert'])
  })

  test('edits and deletions have events of their own', () => {
    for (const type of ['edit', 'delete'] as const)
      assert.equal(convert('messages.upsert', upsert({ type })), null)
  })

  test('a file is described, and added in base64 if it is wanted', () => {
    const media = {
      kind: 'image' as const,
      mimetype: 'image/png',
      fileName: null,
      sizeBytes: 5,
      seconds: null,
      width: 4,
      height: 3,
      sha256: '00ff',
      downloadPath: '/x',
    }
    const { message, messageType } = messageOf(
      { type: 'image', media, text: 'See' },
      { fileBase64: 'aGVsbG8=' },
    )
    assert.equal(messageType, 'imageMessage')
    assert.deepEqual(message, {
      imageMessage: {
        mimetype: 'image/png',
        fileLength: '5',
        fileSha256: 'AP8=',
        caption: 'See',
        height: 3,
        width: 4,
      },
      base64: 'aGVsbG8=',
    })
  })

  test('a quote, a reaction, a vote, taps and cards', () => {
    const quoted = { messageId: 'Q', text: 'before', participant: JID }
    const reply = messageOf({ type: 'location', content: { latitude: 1, longitude: 2 }, quoted })
    assert.equal(reply.message.locationMessage.contextInfo.stanzaId, 'Q')
    const target = { messageId: 'T', direction: 'outgoing' as const, author: null }
    const reaction = messageOf({ type: 'reaction', text: '👍', target })
    assert.deepEqual(reaction.message.reactionMessage, {
      key: { id: 'T', remoteJid: JID, fromMe: true },
      text: '👍',
    })
    const vote = messageOf({ type: 'poll_vote', target, text: null, content: { options: ['Mon'] } })
    assert.deepEqual(vote.message.pollUpdateMessage.vote, { selectedOptions: ['Mon'] })
    const order = messageOf({
      type: 'order',
      text: 'Hurry',
      content: { orderId: '11', total: '149.9', currency: 'BRL' },
    })
    const { orderId, message, totalAmount1000 } = order.message.orderMessage
    assert.deepEqual(
      [order.messageType, orderId, message, totalAmount1000],
      ['orderMessage', '11', 'Hurry', '149900'],
    )
    const product = messageOf({ type: 'product', text: 'Size?', content: { title: 'Shoe', price: '49' } })
    assert.deepEqual(
      [product.message.productMessage.product.priceAmount1000, product.message.productMessage.body],
      ['49000', 'Size?'],
    )
    const tap = messageOf({ type: 'list_reply', text: 'Tea', interactiveReplyId: 'tea' })
    assert.equal(tap.message.listResponseMessage.singleSelectReply.selectedRowId, 'tea')
    const contacts = [{ name: 'Ana', phones: [{ number: '+55 11', phone: '5511' }], organization: null }]
    const card = messageOf({ type: 'contact', content: { contacts } })
    assert.match(card.message.contactMessage.vcard, /waid=5511:5511/)
    const unknown = messageOf({ type: 'undecryptable', text: null, content: { reason: 'no_session' } })
    assert.deepEqual(unknown.message, { undecryptable: { reason: 'no_session' } })
  })
})

describe('other events', () => {
  const update = { messageId: 'ID', chat: JID, status: 'read', failure: null, at: AT } as const
  test('messages.update says whose message it is', () => {
    const fromMe = (direction: string | null) => dataOf('messages.update', update, { direction }).fromMe
    assert.deepEqual([fromMe('outgoing'), fromMe(null), fromMe('incoming')], [true, true, false])
  })

  test('messages.deleted names the deleted message', () => {
    const target = { messageId: 'T', direction: 'incoming' as const, author: JID }
    const change = {
      messageId: 'C',
      chat: GROUP,
      direction: 'incoming',
      from: PERSON,
      target,
      at: AT,
    } as const
    assert.deepEqual(convert('messages.deleted', { ...change, deletedBy: 'author' })?.data, {
      id: 'T',
      remoteJid: GROUP,
      fromMe: false,
      participant: JID,
      status: 'DELETED',
      instanceId: '7',
    })
  })

  test('connection.update: open, logged out, and the end of the codes', () => {
    const state = (state: 'open' | 'close', stateReason: 'logged_out' | 'qr_expired' | null) => {
      const data = { state, stateReason, stateReasonUntil: null, number: null }
      const shown = convert('connection.update', data)?.data as Record<string, unknown>
      return [shown.state, shown.statusReason, shown.wuid]
    }
    assert.deepEqual(state('open', null), ['open', 200, FACTS.ownJid])
    assert.deepEqual(state('close', 'logged_out'), ['close', 401, undefined])
    assert.deepEqual(state('close', 'qr_expired'), ['refused', 428, undefined])
  })

  test('qrcode.updated has the code that is shown now, or none', () => {
    const data = { imagePath: '/x', pairingCode: null, expiresAt: AT }
    const qr = { code: '2@abc', base64: 'data:image/png;base64,AA==' }
    assert.deepEqual(convert('qrcode.updated', data, { qr })?.data, {
      qrcode: { instance: 'Shop', pairingCode: null, ...qr },
    })
    const none = convert('qrcode.updated', data)?.data as { qrcode: { code: null } }
    assert.equal(none.qrcode.code, null)
  })

  test('groups, presence, calls and merged chats', () => {
    const people = { groupJid: GROUP, author: PERSON, action: 'add' as const, people: [PERSON] }
    assert.deepEqual(convert('group-participants.update', people)?.data, {
      id: GROUP,
      author: JID,
      participants: [JID],
      action: 'add',
    })
    const changes = { subject: 'New', announce: true }
    assert.deepEqual(convert('groups.update', { groupJid: GROUP, author: null, changes }), {
      names: ['group.update'],
      data: [{ id: GROUP, subject: 'New', announce: true }],
    })
    const presence = { person: PERSON, chat: JID, presence: 'typing', lastSeen: null, at: AT } as const
    assert.deepEqual(convert('presence.update', presence)?.data, {
      id: JID,
      presences: { [JID]: { lastKnownPresence: 'composing' } },
    })
    const call = { callId: 'C', from: PERSON, isVideo: null, isGroup: null, groupJid: null, at: AT }
    assert.equal(dataOf('call', { ...call, status: 'missed' }).status, 'timeout')
    const merged = { chat: JID, mergedChat: '1@lid', person: PERSON, contactId: null, removedContactId: null }
    assert.deepEqual(convert('contacts.merged', merged), { names: ['chats.delete'], data: ['1@lid'] })
  })
})

describe('deliveries', () => {
  const EVENT: EventToFormat = {
    account_id: 1,
    position: 1,
    name: 'messages.upsert',
    created_at: Date.parse(AT),
    sequence: 1,
    instance_id: 7,
    display_name: 'Shop',
    api_name: 'shop-k3v9x2ma',
    data: JSON.stringify(upsert()),
    own_number: null,
    evolution_name: 'Loja ç',
    direction: 'incoming',
  }
  const secrets = { current: 'secret', previous: null }
  const OPTIONS = { byEvents: true, base64: false, headers: {}, events: null }
  const unused = undefined as never
  const format = createEvolutionFormat({
    store: unused,
    sessions: unused,
    files: unused,
    drawQr: unused,
    publicUrl: 'https://gateway.example.com',
    forSignatures: () => Date.parse(AT),
  })

  test('byEvents extends the path and keeps the query; the envelope is the same on every attempt', async () => {
    const webhook = { url: 'https://example.com/hook/?a=1', options: OPTIONS, secrets }
    const [first, second] = [await format(EVENT, webhook), await format(EVENT, webhook)]
    assert.deepEqual(first, second)
    assert.equal(first?.url, 'https://example.com/hook/messages-upsert?a=1')
    const { data: _data, ...envelope } = JSON.parse(first.body) as Record<string, unknown>
    assert.deepEqual(envelope, {
      event: 'messages.upsert',
      instance: 'Loja ç',
      destination: first.url,
      date_time: AT,
      sender: '',
      server_url: 'https://gateway.example.com',
      apikey: null,
    })
    assert.equal(first.headers['X-Instance-Name'], 'Loja%20%C3%A7')
  })

  test('an event that the webhook does not want is not posted', async () => {
    const only = (events: string[]) =>
      format(EVENT, { url: 'https://example.com/', options: { ...OPTIONS, events }, secrets })
    assert.equal(await only(['SEND_MESSAGE']), null)
    assert.notEqual(await only(['MESSAGES_UPSERT']), null)
  })

  test('a contact is delivered under the name that the webhook subscribes to', async () => {
    const data = JSON.stringify({ contactId: null, person: PERSON, name: 'Ana' })
    const event = { ...EVENT, name: 'contacts.update', data }
    const options = { ...OPTIONS, events: ['CONTACTS_UPSERT'] }
    const posted = await format(event, { url: 'https://example.com/', options, secrets })
    assert.equal(posted?.url, 'https://example.com/contacts-upsert')
  })

  test('jwt_key signs a token of ten minutes in place of a configured Authorization', async () => {
    const headers = { jwt_key: 'key', authorization: 'mine', 'X-Own': 'yes' }
    const posted = await format(EVENT, {
      url: 'https://example.com/',
      options: { ...OPTIONS, headers },
      secrets,
    })
    const expected = { 'X-Own': 'yes', Authorization: `Bearer ${signedToken('key', Date.parse(AT))}` }
    assert.deepEqual(posted?.secretHeaders, expected)
    const [head, payload, signature] = signedToken('key', Date.parse(AT)).split('.')
    assert.equal(createHmac('sha256', 'key').update(`${head}.${payload}`).digest('base64url'), signature)
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as {
      iat: number
      exp: number
    }
    assert.deepEqual([claims.iat, claims.exp], [SECONDS, SECONDS + 600])
  })
})
