import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GatewayError, invalidField } from '../../errors.ts'
import { renamed } from '../renamed-fields.ts'
import { addressOf, personOf } from './addresses.ts'
import { EvolutionError, evolutionErrorBody } from './errors.ts'
import { eventsOf, pathOfEvent, subscriptionOf } from './event-names.ts'
import { decoded } from './files.ts'
import { proxyUrlOf, shownProxy } from './settings.ts'
import { checkedEvents, checkedHeaders } from './webhook-options.ts'

describe('addresses', () => {
  test('digits, jids with and without a device, lids and groups', () => {
    assert.deepEqual(addressOf('5511912345678'), { number: '5511912345678' })
    assert.deepEqual(addressOf('5511912345678@s.whatsapp.net'), { number: '5511912345678' })
    assert.deepEqual(addressOf('5511912345678:12@s.whatsapp.net'), { number: '5511912345678' })
    assert.deepEqual(addressOf('5511912345678@c.us'), { number: '5511912345678' })
    assert.deepEqual(addressOf('111222333@lid'), { chat: '111222333@lid' })
    assert.deepEqual(addressOf('120363000000000000@g.us'), { groupJid: '120363000000000000@g.us' })
    assert.equal(personOf('111222333:4@lid'), '111222333@lid')
  })

  test('what is not an address is passed on, for the schema to refuse', () => {
    for (const text of ['', 'nobody', '12@example.com']) assert.deepEqual(addressOf(text), { number: text })
  })
})

describe('refusals', () => {
  test('a field of this API gets the name of the dialect, by its longest known part', () => {
    const fields = { message: 'text', interactive: '', 'interactive.text': 'description' }
    const pathOf = (path: string) => {
      const error = renamed(invalidField(path, 'required'), fields) as GatewayError
      return evolutionErrorBody(error).response.message
    }
    assert.deepEqual(pathOf('message'), ['text: required'])
    assert.deepEqual(pathOf('interactive.text'), ['description: required'])
    assert.deepEqual(pathOf('interactive.sections.0.rows'), ['sections.0.rows: required'])
    assert.deepEqual(pathOf('other'), ['other: required'])
  })

  test('a state that does not allow a call is 400; other statuses stay', () => {
    const statusOf = (error: GatewayError | EvolutionError) => {
      const { status, error: name } = evolutionErrorBody(error)
      return [status, name]
    }
    assert.deepEqual(statusOf(new GatewayError('instance_not_connected')), [400, 'Bad Request'])
    assert.deepEqual(statusOf(new GatewayError('unauthorized')), [401, 'Unauthorized'])
    assert.deepEqual(statusOf(new GatewayError('rate_limited')), [429, 'Too Many Requests'])
    assert.deepEqual(statusOf(new EvolutionError(501, 'No.')), [501, 'Not Implemented'])
  })

  test('a cause is not shown', () => {
    const error = new GatewayError('internal', {}, { cause: new Error('a secret') })
    assert.doesNotMatch(JSON.stringify(evolutionErrorBody(error)), /secret/)
  })
})

describe('files', () => {
  test('base64 is decoded with and without a data URL and line breaks', () => {
    assert.equal(decoded('aGVsbG8=', 'media').bytes.toString(), 'hello')
    assert.equal(decoded('aGVs\nbG8=', 'media').bytes.toString(), 'hello')
    const image = decoded('data:image/png;base64,aGVsbG8=', 'media')
    assert.deepEqual([image.bytes.toString(), image.mimetype], ['hello', 'image/png'])
    const voice = decoded('data:audio/ogg; codecs=opus;base64,aGVsbG8=', 'audio')
    assert.equal(voice.mimetype, 'audio/ogg')
  })

  test('everything else is refused with the name of the field', () => {
    for (const text of ['not base64!', 'file:///etc/passwd', 'data:image/png;base64,', '='])
      assert.throws(() => decoded(text, 'media'), /media: expected an http or https URL, or base64/)
  })
})

describe('options of webhooks', () => {
  test('a hidden value keeps the stored one', () => {
    const before = { authorization: 'Bearer secret' }
    assert.deepEqual(checkedHeaders({ authorization: '***' }, before), before)
    assert.deepEqual(checkedHeaders({ authorization: 'new' }, before), { authorization: 'new' })
    assert.deepEqual(checkedHeaders({ other: '***' }, before), { other: '' })
  })

  test('headers of the connection, values with line breaks and too many headers are refused', () => {
    for (const headers of [{ Host: 'a' }, { 'content-length': '5' }, { 'Proxy-Authorization': 'a' }])
      assert.throws(() => checkedHeaders(headers, {}), /the gateway sets this header/)
    for (const value of ['a\r\nb: c', 5, null, 'x'.repeat(5000)])
      assert.throws(() => checkedHeaders({ a: value }, {}), /webhook\.headers\.a/)
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`h${index}`, 'x']))
    assert.throws(() => checkedHeaders(many, {}), /at most 20/)
  })

  test('an empty list of events stands for all, and each needs its event of this API once', () => {
    assert.equal(checkedEvents([]), null)
    assert.deepEqual(eventsOf(['MESSAGES_UPSERT', 'SEND_MESSAGE', 'LABELS_EDIT']), [
      'messages.upsert',
      'labels.update',
    ])
    assert.throws(() => checkedEvents(['messages.upsert']), /webhook\.events/)
  })

  test('names of events as subscriptions and as the end of a URL', () => {
    assert.equal(subscriptionOf('group-participants.update'), 'GROUP_PARTICIPANTS_UPDATE')
    assert.equal(pathOfEvent('group-participants.update'), 'group-participants-update')
    assert.equal(pathOfEvent('send.message'), 'send-message')
  })
})

describe('proxies', () => {
  test('credentials are encoded in the URL, and not shown', () => {
    const fields = {
      host: 'proxy.example.com',
      port: 1080,
      protocol: 'socks5',
      username: 'a@b',
      password: 'c:d',
    }
    assert.equal(proxyUrlOf(fields), 'socks5://a%40b:c%3Ad@proxy.example.com:1080')
    assert.deepEqual(shownProxy('socks5://***@proxy.example.com:1080'), {
      enabled: true,
      host: 'proxy.example.com',
      port: '1080',
      protocol: 'socks5',
      username: '',
      password: '',
    })
    assert.equal(shownProxy(null), null)
  })
})
