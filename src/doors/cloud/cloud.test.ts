import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reason } from '../../contract/reasons.ts'
import { reasonsOf } from '../../contract/route.ts'
import { type RouteId, routes } from '../../contract/routes.ts'
import { GatewayError, invalidField } from '../../errors.ts'
import { givenComponents, ParameterMismatch, renderTemplate, templateComponents } from '../template-text.ts'
import { addressOf, idsOf, oneIdOf, userIdOf } from './addresses.ts'
import { chosenFields } from './call.ts'
import { CloudError, cloudErrorOf, REFUSALS, TITLES } from './errors.ts'
import { fileIdOf, isUploadedFile, receivedFileOf } from './media-id.ts'

describe('addresses', () => {
  test('numbers, lids and groups; the rest is left to the schema', () => {
    assert.deepEqual(addressOf('+5511912345678'), { number: '+5511912345678' })
    assert.deepEqual(addressOf('111222333@lid'), { chat: '111222333@lid' })
    assert.deepEqual(addressOf('120363000000000000@g.us'), { groupJid: '120363000000000000@g.us' })
    assert.deepEqual(addressOf('nonsense'), { number: 'nonsense' })
  })

  test('a person has a number, an id that clients accept, or both; the id can be written to', () => {
    const [waId, lid] = ['5511912345678', '111222333@lid']
    assert.deepEqual(idsOf({ jid: `${waId}@s.whatsapp.net` }), { waId })
    assert.deepEqual(idsOf({ jid: lid, phone: waId }), { waId, userId: 'XX.111222333' })
    assert.deepEqual(idsOf({ jid: lid, phone: null }), { userId: 'XX.111222333' })
    assert.match(userIdOf(lid), /^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/)
    assert.deepEqual(addressOf(userIdOf(lid)), { chat: lid })
    assert.deepEqual([`${waId}@s.whatsapp.net`, lid, '1@g.us'].map(oneIdOf), [waId, 'XX.111222333', '1@g.us'])
  })
})

describe('refusals', () => {
  /** All routes that calls of the dialect use. */
  const USED: RouteId[] = [
    'sendText',
    'sendMedia',
    'sendSticker',
    'sendLocation',
    'sendContact',
    'sendButton',
    'sendList',
    'sendCta',
    'reactToMessage',
    'getMessage',
    'getMessageMedia',
    'readChat',
    'showPresence',
    'uploadMedia',
    'instanceState',
    'listInstances',
    'listMessages',
    'getProfile',
    'updateProfile',
    'getPerson',
    'saveWebhook',
    'listWebhooks',
    'deleteWebhook',
  ]

  test('every reason of the routes that the dialect uses has a code of the Cloud API', () => {
    const reasons = new Set(USED.flatMap((id) => reasonsOf(routes[id]))) as Set<Reason>
    reasons.delete('invalid_request')
    assert.deepEqual(
      [...reasons].filter((reason) => !REFUSALS[reason]),
      [],
    )
  })

  test('a missing field, a wrong value and a body as a whole have different codes', () => {
    const codeOf = (path: string, message: string) =>
      cloudErrorOf(invalidField(path, message), 'req-1').body.error.code
    assert.equal(codeOf('to', 'required'), 131008)
    assert.equal(codeOf('to', 'expected 7 to 15 digits'), 131009)
    assert.equal(codeOf('messaging_product', 'expected "whatsapp"'), 100)
    assert.equal(codeOf('', 'the body is not valid JSON'), 100)
  })

  test('the form of the original, with the id of the request and without a cause', () => {
    const error = new GatewayError('instance_not_found', {}, { cause: new Error('a secret') })
    assert.deepEqual(cloudErrorOf(error, 'req-1'), {
      status: 400,
      body: {
        error: {
          message: `(#100) ${TITLES[100]}`,
          type: 'OAuthException',
          code: 100,
          error_subcode: 33,
          error_data: { messaging_product: 'whatsapp', details: 'There is no such instance.' },
          fbtrace_id: 'req-1',
        },
      },
    })
    const own = cloudErrorOf(new CloudError(501, 3, 'Not here.'), 'req-2')
    assert.deepEqual([own.status, own.body.error.code, own.body.error.error_subcode], [501, 3, undefined])
  })
})

describe('names of files', () => {
  test('contain instance and message, whatever a stranger writes into the id, and are safe in a path', () => {
    for (const messageId of ['3EB0A1', '../../etc', 'a/b?c#d', 'é 👋', ' ']) {
      const id = fileIdOf({ instanceName: 'shop-1', messageId })
      assert.match(id, /^file-[\w-]+$/)
      assert.deepEqual(receivedFileOf(id), { instanceName: 'shop-1', messageId })
    }
  })

  test('other names are not names of received files', () => {
    for (const id of ['', 'shop-1', 'file-', 'file-AAAA', 'media-4fzyo82mvyrQ0b1cT7n_xA'])
      assert.equal(receivedFileOf(id), undefined)
    assert.equal(isUploadedFile('media-4fzyo82mvyrQ0b1cT7n_xA'), true)
  })
})

test('fields are chosen by name, and the id is always shown', () => {
  const shown = { id: '1', name: 'A', status: 'B' }
  assert.deepEqual(chosenFields(shown, undefined), shown)
  assert.deepEqual(chosenFields(shown, 'status, other'), { id: '1', status: 'B' })
})

describe('templates as texts', () => {
  const render = (components: unknown, given: unknown = []) =>
    renderTemplate(templateComponents.parse(components), givenComponents.parse(given))
  const body = (text: string) => ({ type: 'body', text })
  const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }))

  test('header in bold, body, footer in italics, and a line for each button', () => {
    const buttons = [
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+1555' },
      { type: 'COPY_CODE', text: 'Code' },
    ]
    const template = [
      { type: 'HEADER', format: 'TEXT', text: 'Hi' },
      body('Sure?'),
      { type: 'FOOTER', text: 'Acme' },
      { type: 'BUTTONS', buttons },
    ]
    const code = {
      type: 'button',
      sub_type: 'copy_code',
      index: 2,
      parameters: [{ type: 'coupon_code', coupon_code: 'X7' }],
    }
    const { text, file } = render(template, [code])
    assert.equal(text, '*Hi*\n\nSure?\n\n_Acme_\n\n▸ Yes\nCall: +1555\nCode: X7')
    assert.equal(file, null)
  })

  test('placeholders are filled by position or by name, also twice, and with the fallback of dates and amounts', () => {
    const given = (parameters: unknown) => [{ type: 'body', parameters }]
    assert.equal(render([body('{{1}} and {{2}}, {{1}}')], given(texts('a', 'b'))).text, 'a and b, a')
    const named = [{ type: 'text', parameter_name: 'who', text: 'Ana' }]
    assert.equal(render([body('Hello {{ who }}')], given(named)).text, 'Hello Ana')
    const amount = [{ type: 'currency', currency: { fallback_value: '$5', code: 'USD', amount_1000: 5000 } }]
    assert.equal(render([body('Pay {{1}}')], given(amount)).text, 'Pay $5')
  })

  test('a value with a placeholder or a dollar sign is not filled again', () => {
    const parameters = texts('{{2}} $& $1', 'b')
    assert.equal(render([body('{{1}} {{2}}')], [{ type: 'body', parameters }]).text, '{{2}} $& $1 b')
  })

  test('too few and too many parameters are refused', () => {
    for (const parameters of [texts(), texts('a', 'b')])
      assert.throws(() => render([body('{{1}}')], [{ type: 'body', parameters }]), ParameterMismatch)
    assert.throws(() => render([{ type: 'HEADER', format: 'IMAGE' }, body('x')]), /type image/)
  })

  test('a file in the header', () => {
    const parameters = [
      { type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' } },
    ]
    const { file, text } = render(
      [{ type: 'HEADER', format: 'DOCUMENT' }, body('Your plan')],
      [{ type: 'header', parameters }],
    )
    assert.deepEqual(file, { type: 'document', link: 'https://example.com/a.pdf', filename: 'a.pdf' })
    assert.equal(text, 'Your plan')
  })
})
