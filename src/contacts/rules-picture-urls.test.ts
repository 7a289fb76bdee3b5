import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chatPictureUrl, ownPictureUrl } from './rules.ts'

const ORIGIN = 'https://gateway.example'

describe('picture URLs', () => {
  test('the URL of the picture of the account names the instance and the version', () => {
    assert.equal(
      ownPictureUrl(ORIGIN, 'support-1a2b3c4d', 36),
      'https://gateway.example/api/v1/instance/profile-picture?instanceName=support-1a2b3c4d&v=10',
    )
  })

  test('the URL of a chat picture contains the chat in encoded form', () => {
    assert.equal(
      chatPictureUrl(ORIGIN, 'support-1a2b3c4d', '551@s.whatsapp.net', 36),
      'https://gateway.example/api/v1/chats/picture?instanceName=support-1a2b3c4d&chat=551%40s.whatsapp.net&v=10',
    )
  })

  test('another version gives another URL', () => {
    assert.notEqual(ownPictureUrl(ORIGIN, 'a', 1), ownPictureUrl(ORIGIN, 'a', 2))
  })

  test('there is no URL without a picture', () => {
    for (const version of [null, undefined]) {
      assert.equal(ownPictureUrl(ORIGIN, 'a', version), null)
      assert.equal(chatPictureUrl(ORIGIN, 'a', 'b', version), null)
    }
  })
})
