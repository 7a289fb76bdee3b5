import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { EVENT_NAMES, type EventData, type EventName } from '../../contract/events.ts'
import { FAILURE_REASONS, MESSAGE_STATUSES } from '../../contract/sending.ts'
import { asciiJson, type CloudFacts, formatCloudEvent, toCloudChange } from './deliver.ts'
import { FAILURES } from './errors.ts'
import { receivedFileOf } from './media-id.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
type Upsert = EventData<'messages.upsert'>

const ANA = '5511912345678'
const JID = `${ANA}@s.whatsapp.net`
const LID = '111222333@lid'
const USER_ID = 'XX.111222333'
const GROUP = '120363000000000000@g.us'
const OWN = '5511900000001'
const AT = '2026-01-31T12:00:00.900Z'
const SECONDS = String(Math.floor(Date.parse(AT) / 1000))
const PERSON = { jid: JID, lid: LID, phone: ANA, pushName: 'Ana' }
const FACTS: CloudFacts = { instanceName: 'shop-1', ownNumber: OWN, direction: 'outgoing' }
const COMMON = {
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: OWN, phone_number_id: 'shop-1' },
}

const convert = <N extends EventName>(name: N, data: EventData<N>, facts: Partial<CloudFacts> = {}) =>
  toCloudChange(name, data, { ...FACTS, ...facts })

const upsert = (change: Partial<Upsert> = {}): Upsert => ({
  messageId: 'ID',
  chat: JID,
  number: ANA,
  lid: LID,
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
const messageOf = (change: Partial<Upsert>): Json =>
  ((convert('messages.upsert', upsert(change)) ?? assert.fail()).value as Json).messages[0]

const MEDIA = {
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

describe('received messages', () => {
  test('a text, with its sender and the time as text', () => {
    assert.deepEqual(convert('messages.upsert', upsert()), {
      field: 'messages',
      value: {
        ...COMMON,
        contacts: [{ profile: { name: 'Ana' }, wa_id: ANA, user_id: USER_ID }],
        messages: [
          {
            from: ANA,
            from_user_id: USER_ID,
            id: 'ID',
            timestamp: SECONDS,
            type: 'text',
            text: { body: 'Hello' },
          },
        ],
      },
    })
  })

  test('a person whose number is hidden has only the other id, and one without a name that of the network', () => {
    const hidden = { jid: LID, lid: LID, phone: null, pushName: null, username: 'ana.s' }
    const { value } =
      convert('messages.upsert', upsert({ chat: LID, number: null, from: hidden })) ?? assert.fail()
    const { contacts, messages } = value as Json
    assert.deepEqual(contacts, [{ profile: { name: 'ana.s', username: 'ana.s' }, user_id: USER_ID }])
    assert.deepEqual([messages[0].from, messages[0].from_user_id], [undefined, USER_ID])
  })

  test('a file has an id that leads to its message, a hash in base64, and only the fields that it has', () => {
    const { type, image } = messageOf({ type: 'image', media: MEDIA, text: null })
    assert.deepEqual([type, image], ['image', { id: image.id, mime_type: 'image/png', sha256: 'AP8=' }])
    assert.deepEqual(receivedFileOf(image.id), { instanceName: 'shop-1', messageId: 'ID' })
    assert.equal(messageOf({ type: 'video', media: MEDIA, text: 'See' }).video.caption, 'See')
    const named = { ...MEDIA, fileName: 'plan.pdf' }
    assert.equal(messageOf({ type: 'document', media: named, text: null }).document.filename, 'plan.pdf')
    assert.equal(
      messageOf({ type: 'audio', media: MEDIA, text: null, content: { voice: true } }).audio.voice,
      true,
    )
    const moving = { type: 'sticker' as const, media: MEDIA, text: null, content: { animated: true } }
    assert.equal(messageOf(moving).sticker.animated, true)
  })

  test('a file that is not available has no id, and an error', () => {
    const { image, errors } = messageOf({
      type: 'image',
      media: { ...MEDIA, downloadPath: null },
      text: 'See',
    })
    assert.deepEqual([image.id, image.caption, errors[0].code], [undefined, 'See', 131052])
  })

  test('location, contacts, reaction and its withdrawal', () => {
    const spot = { latitude: 1.5, longitude: 2, name: 'Shop', address: null, live: false }
    assert.deepEqual(messageOf({ type: 'location', text: null, content: spot }).location, {
      latitude: 1.5,
      longitude: 2,
      name: 'Shop',
    })
    const card = { name: 'Bob', organization: 'Acme', phones: [{ number: '+1 555', phone: '1555' }] }
    assert.deepEqual(messageOf({ type: 'contact', text: null, content: { contacts: [card] } }).contacts, [
      {
        name: { formatted_name: 'Bob', first_name: 'Bob' },
        phones: [{ phone: '+1 555', wa_id: '1555', type: 'CELL' }],
        org: { company: 'Acme' },
      },
    ])
    const target = { messageId: 'T', direction: 'outgoing' as const, author: null }
    for (const text of ['👍', null])
      assert.deepEqual(messageOf({ type: 'reaction', text, target }).reaction, {
        message_id: 'T',
        emoji: text ?? '',
      })
  })

  test('an order with the words of the customer, and a question about a product', () => {
    const seller = `${OWN}@s.whatsapp.net`
    const order = { orderId: '11', token: 'AR', itemCount: 2, total: '149.9', currency: 'BRL', title: null }
    const shown = messageOf({ type: 'order', text: 'Hurry', content: { ...order, seller } })
    assert.deepEqual(
      [shown.type, shown.order],
      [
        'order',
        {
          catalog_id: OWN,
          text: 'Hurry',
          product_items: [],
          order_id: '11',
          token: 'AR',
          item_count: 2,
          total: '149.9',
          currency: 'BRL',
        },
      ],
    )
    const product = { productId: '7', title: 'Shoe', retailerId: 'SKU-7', business: seller }
    const shared = messageOf({ type: 'product', text: null, content: product })
    assert.deepEqual([shared.type, shared.text.body], ['text', 'Shoe'])
    assert.deepEqual(shared.context, {
      referred_product: { catalog_id: OWN, product_retailer_id: 'SKU-7' },
    })
  })

  test('taps on buttons and rows of lists, with the message that they answer', () => {
    const quoted = { messageId: 'Q', text: 'Sure?', participant: `${OWN}@s.whatsapp.net` }
    const tap = messageOf({ type: 'button_reply', text: 'Yes', interactiveReplyId: 'yes', quoted })
    assert.deepEqual(
      [tap.type, tap.interactive, tap.context],
      [
        'interactive',
        { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
        { from: OWN, id: 'Q' },
      ],
    )
    const content = { description: 'Hot' }
    const row = messageOf({ type: 'list_reply', text: 'Tea', interactiveReplyId: 'tea', content })
    assert.deepEqual(row.interactive.list_reply, { id: 'tea', title: 'Tea', description: 'Hot' })
  })

  test('a forwarded message, and the advertisement that led to a message', () => {
    assert.deepEqual(messageOf({ content: { forwarded: true } }).context, { forwarded: true })
    const referral = {
      sourceId: '7',
      sourceType: 'ad',
      sourceUrl: 'https://fb.me/1',
      title: 'Sale',
      ctwaClid: 'c',
    }
    assert.deepEqual(messageOf({ content: { referral } }).referral, {
      source_url: 'https://fb.me/1',
      source_id: '7',
      source_type: 'ad',
      headline: 'Sale',
      ctwa_clid: 'c',
    })
    assert.equal(messageOf({ content: { referral: { conversion: {} } } }).referral, undefined)
  })

  test('a message of a group names it, and other types are unsupported', () => {
    assert.equal(messageOf({ chat: GROUP, number: null }).group_id, GROUP)
    for (const type of ['poll', 'event', 'poll_vote', 'view_once_unavailable', 'unsupported'] as const) {
      const { type: shown, unsupported, errors } = messageOf({ type, text: null })
      assert.deepEqual([shown, unsupported, errors[0].code], ['unsupported', { type }, 131051])
    }
  })

  test('what has an event of its own, comes later, is history or a status post is not posted', () => {
    for (const type of ['edit', 'delete', 'undecryptable', 'pin', 'disappearing'] as const)
      assert.equal(convert('messages.upsert', upsert({ type })), null)
    assert.equal(convert('messages.upsert', upsert({ historical: true })), null)
    assert.equal(convert('messages.upsert', upsert({ chat: 'status@broadcast' })), null)
  })
})

describe('messages of the account', () => {
  test('one that was sent through the API is not posted; one of the phone is an echo', () => {
    for (const status of ['queued', 'scheduled'] as const)
      assert.equal(convert('messages.upsert', upsert({ direction: 'outgoing', status })), null)
    assert.deepEqual(convert('messages.upsert', upsert({ direction: 'outgoing', status: 'sent' })), {
      field: 'smb_message_echoes',
      value: {
        ...COMMON,
        message_echoes: [
          {
            from: OWN,
            to: ANA,
            to_user_id: USER_ID,
            id: 'ID',
            timestamp: SECONDS,
            type: 'text',
            text: { body: 'Hello' },
          },
        ],
      },
    })
  })
})

describe('statuses', () => {
  const update = (change: Partial<EventData<'messages.update'>>): EventData<'messages.update'> => ({
    messageId: 'ID',
    chat: JID,
    number: ANA,
    lid: LID,
    status: 'sent',
    failure: null,
    at: AT,
    ...change,
  })
  const statusOf = (change: Partial<EventData<'messages.update'>>): Json =>
    (convert('messages.update', update(change))?.value as Json)?.statuses[0]

  test('sent, delivered, read and failed; played was read, and what is not sent yet has none', () => {
    const shown = MESSAGE_STATUSES.map((status) => statusOf({ status })?.status)
    const none = Array.from({ length: 4 }, () => undefined)
    assert.deepEqual(shown, [...none, 'sent', 'delivered', 'read', 'read', 'failed'])
    assert.deepEqual(statusOf({}), {
      id: 'ID',
      status: 'sent',
      timestamp: SECONDS,
      recipient_id: ANA,
      recipient_user_id: USER_ID,
    })
    assert.equal(convert('messages.update', update({}), { direction: 'incoming' }), null)
  })

  test('a failure has the code of its reason, and every reason has one', () => {
    for (const reason of FAILURE_REASONS) {
      const failure = { reason, error: 'A sentence.', code: null }
      const [error] = statusOf({ status: 'failed', failure }).errors
      assert.deepEqual([error.code, error.error_data.details], [FAILURES[reason], 'A sentence.'])
      assert.ok(error.title.length > 0)
    }
  })

  test('of a message to a group', () => {
    const { recipient_id: id, recipient_type: type } = statusOf({ chat: GROUP, number: null, lid: null })
    assert.deepEqual([id, type], [GROUP, 'group'])
  })
})

describe('edits and deletions', () => {
  const change = {
    messageId: 'C',
    chat: JID,
    number: ANA,
    lid: LID,
    direction: 'incoming' as const,
    from: PERSON,
    target: { messageId: 'T', direction: 'incoming' as const, author: JID },
    at: AT,
  }

  test('of people: unsupported, which every client skips, with the change beside it', () => {
    const edited: Json = convert('messages.edited', { ...change, text: 'New' })?.value
    assert.equal(edited.messages[0].type, 'unsupported')
    assert.deepEqual(edited.messages[0].edit, {
      original_message_id: 'T',
      message: { type: 'text', text: { body: 'New' } },
    })
    const deleted: Json = convert('messages.deleted', { ...change, deletedBy: 'author' })?.value
    assert.deepEqual(
      [deleted.messages[0].type, deleted.messages[0].revoke],
      ['unsupported', { original_message_id: 'T' }],
    )
  })

  test('of the account: echoes of the types edit and revoke', () => {
    const own = { ...change, direction: 'outgoing' as const }
    const deleted = convert('messages.deleted', { ...own, deletedBy: 'author' })
    assert.equal(deleted?.field, 'smb_message_echoes')
    assert.deepEqual((deleted.value as Json).message_echoes[0], {
      from: OWN,
      to: ANA,
      to_user_id: USER_ID,
      id: 'C',
      timestamp: SECONDS,
      type: 'revoke',
      revoke: { original_message_id: 'T' },
    })
  })
})

describe('deliveries', () => {
  const EVENT = {
    account_id: 1,
    position: 2,
    name: 'messages.upsert',
    created_at: Date.parse(AT),
    sequence: 3,
    instance_id: 7,
    display_name: 'Shop',
    api_name: 'shop-1',
    data: JSON.stringify(upsert({ text: 'Olá 👋' })),
    own_number: OWN,
    evolution_name: null,
    direction: 'incoming',
  }
  const webhook = {
    url: 'https://example.com/hook?a=1',
    options: { verifyToken: 'token' },
    secrets: { current: 'the secret', previous: 'the one before' },
  }

  test('the envelope, the same on every attempt, is ASCII and signed with the current secret', async () => {
    const [first, second] = [await formatCloudEvent(EVENT, webhook), await formatCloudEvent(EVENT, webhook)]
    assert.ok(first)
    assert.deepEqual(first, second)
    const parsed = JSON.parse(first.body)
    assert.deepEqual([parsed.object, parsed.entry[0].id], ['whatsapp_business_account', 'shop-1'])
    assert.equal(parsed.entry[0].changes[0].value.messages[0].text.body, 'Olá 👋')
    // oxlint-disable-next-line no-control-regex -- the range of ASCII is meant
    assert.match(first.body, /^[\x00-\x7e]*$/)
    const hmac = (hash: string) =>
      `${hash}=${createHmac(hash, 'the secret').update(first.body).digest('hex')}`
    assert.deepEqual(first.headers, {
      'X-Hub-Signature': hmac('sha1'),
      'X-Hub-Signature-256': hmac('sha256'),
    })
    assert.doesNotMatch(first.body, /token/)
  })

  test('other characters are escaped in lower case', () => {
    assert.equal(asciiJson({ a: 'é👋\u007f' }), String.raw`{"a":"\u00e9\ud83d\udc4b\u007f"}`)
  })

  test('every other event is not posted', async () => {
    const known = new Set(['messages.upsert', 'messages.update', 'messages.edited', 'messages.deleted'])
    for (const name of EVENT_NAMES.filter((each) => !known.has(each)))
      assert.equal(await formatCloudEvent({ ...EVENT, name, data: '{}' }, webhook), null)
  })
})
