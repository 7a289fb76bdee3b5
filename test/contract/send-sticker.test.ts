// POST /send/sticker
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'
import { freshInstance, storedMessages } from './sender.ts'
import { uploadRules } from './upload-rules.ts'

const mediaUrl = 'https://example.com/smile.webp'

contract('POST /send/sticker', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendSticker', type: 'sticker', drawsDelay: false, to: 'number' })
  uploadRules(fixture, 'sendSticker')

  stores(fixture, 'sendSticker', 'stores the address of the file', [[{ mediaUrl }, { mediaUrl }]])

  refuses(fixture, 'sendSticker', 'there is no file, or a field that a sticker does not have', [
    [{ mediaUrl: undefined }, 'mediaUrl'],
    [{ mediaUrl: 7 }, 'mediaUrl'],
    [{ mediaUrl: `https://example.com/${'x'.repeat(2048)}` }, 'mediaUrl'],
    [{ message: 'A caption' }, 'message'],
  ])

  test('400 url_not_allowed when mediaUrl is not an http or https URL', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, 'sendSticker')
    for (const url of ['/etc/passwd', 'file:///etc/passwd', 'https://user@example.com/a']) {
      const answer = await send({ mediaUrl: url })
      assert.deepEqual([answer.status, answer.json.reason], [400, 'url_not_allowed'], url)
    }
    assert.equal((await storedMessages(running, instance.id)).length, 0)
  })
})
