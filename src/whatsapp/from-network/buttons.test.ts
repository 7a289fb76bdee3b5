// What is known of the native flows of strangers is read, and nothing else.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { receive } from '../../../test/support/wire-messages.ts'

const flow = (buttons: [name: string, parameters: string][]) => {
  const { type, text, content } = receive({
    interactiveMessage: {
      body: { text: 'Hello' },
      nativeFlowMessage: { buttons: buttons.map(([name, buttonParamsJson]) => ({ name, buttonParamsJson })) },
    },
  })
  assert.equal(text, 'Hello')
  return { type, content }
}
const UNKNOWN = { type: 'unsupported', content: { contentType: 'interactiveMessage' } }

describe('a native flow of a stranger', () => {
  test('keeps the buttons that are known, without odd values', () => {
    const { type, content } = flow([
      ['cta_copy', '{"display_text":5,"copy_code":{"x":1}}'],
      ['cta_url', '{"url":'],
      ['send_location', '{}'],
    ])
    assert.equal(type, 'cta')
    assert.deepEqual(content, {
      interactive: { body: 'Hello', buttons: [{ copyButton: { displayText: '5', copyCode: '' } }] },
    })
  })

  test('without a button that is known is unsupported', () => {
    assert.deepEqual(flow([['send_location', '{}']]), UNKNOWN)
    assert.deepEqual(flow([]), UNKNOWN)
  })

  for (const settings of [
    [{ type: 'cards' }, { pix_static_code: { key: 5, key_type: 'IBAN' } }],
    [{ pix_static_code: 'x' }, { pix_static_code: { key: '5' } }],
  ])
    test(`with a payment has its key: ${JSON.stringify(settings)}`, () =>
      assert.deepEqual(flow([['payment_info', JSON.stringify({ payment_settings: settings })]]), {
        type: 'pix',
        content: { merchantName: null, keyType: null, key: '5' },
      }))

  test('with a payment but no PIX key is unsupported', () => {
    for (const parameters of ['{"payment_settings":[{"type":"cards"}]}', '{}', 'null'])
      assert.deepEqual(flow([['payment_info', parameters]]), UNKNOWN)
  })
})
