import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { normalizeMessageContent, proto } from 'baileys'
import { receive } from '../../../test/support/wire-messages.ts'
import { contentName, unwrap } from './unwrap.ts'

const inside: proto.IMessage = { conversation: 'inside' }
const messageForm: object = proto.Message.prototype
/** Every wrapping that the library opens, found by asking it, so that a newer one is noticed. */
const openedByLibrary = Object.keys(messageForm).filter(
  (name) => normalizeMessageContent({ [name]: { message: inside } })?.conversation === 'inside',
)

describe('wrappings', () => {
  test('the library opens some', () => assert.ok(openedByLibrary.length >= 9, String(openedByLibrary)))

  for (const name of openedByLibrary) {
    test(`${name} is opened, as the library does`, () => {
      assert.equal(unwrap({ [name]: { message: inside } }).content.conversation, 'inside')
    })
  }

  test('a message in a message of our own device is found', () => {
    const message = {
      deviceSentMessage: { destinationJid: 'x', message: { ephemeralMessage: { message: inside } } },
    }
    assert.equal(receive(message).text, 'inside')
  })

  test('a caption in its wrapping stays with its document', () => {
    const message = { documentMessage: { fileName: 'a.pdf', caption: 'cap' } }
    const received = receive({ documentWithCaptionMessage: { message } })
    assert.equal(received.text, 'cap')
    assert.equal(received.media?.fileName, 'a.pdf')
  })

  test('wrapping without end is opened to a depth and no further', () => {
    let message: proto.IMessage = inside
    for (let depth = 0; depth < 500; depth += 1) message = { ephemeralMessage: { message } }
    assert.equal(contentName(unwrap(message).content), 'ephemeralMessage')
    assert.equal(receive(message).type, 'unsupported')
  })

  test('fields that are there but null hide nothing', () => {
    assert.equal(contentName({ imageMessage: null, conversation: 'x' }), 'conversation')
    assert.equal(contentName({ messageContextInfo: {}, imageMessage: null }), undefined)
  })
})
