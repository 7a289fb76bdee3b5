import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BufferJSON } from 'baileys'
import {
  createSenderKey,
  decryptFromGroup,
  distributionOf,
  encryptForGroup,
  SenderKeyRecord,
  SessionRecord,
  withDistribution,
} from 'libsignal'
import { createSide } from '../../../packages/libsignal/test/sides.ts'
import { decodeKey, encodeKey } from './key-codec.ts'

/** As version 0.1.0 encoded every key. */
const earlier = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value, BufferJSON.replacer))

describe('the stored form of keys', () => {
  test('a session of an earlier version is read, and written as a compact record', async () => {
    const [before, peer] = [createSide('javascript', 'peer'), createSide('own', 'me')]
    await before.begin(peer.publish())
    await peer.decrypt(await before.encrypt('first'))
    await before.decrypt(await peer.encrypt('answer'))
    const stored = earlier(JSON.parse((JSON.parse(before.save()) as { session: string }).session))
    const record = decodeKey('session', stored)
    assert.ok(record instanceof SessionRecord && record.haveOpenSession())
    const written = encodeKey('session', record)
    assert.ok(written.length < stored.length / 2, `${written.length} of ${stored.length} bytes`)
    assert.deepEqual(decodeKey('session', written), record)
  })

  test('a sender key of an earlier version is read and continues its chain', async () => {
    const sender = createSenderKey()
    const [key] = sender.keys
    const receiver = withDistribution(null, distributionOf(sender))
    const stored = earlier(
      Buffer.from(
        JSON.stringify([
          {
            senderKeyId: key?.id,
            senderChainKey: { iteration: key?.iteration, seed: key?.chainKey },
            senderSigningKey: { public: key?.signingKey, private: key?.signingSecret },
            senderMessageKeys: [],
          },
        ]),
      ),
    )
    const record = decodeKey('sender-key', stored)
    assert.ok(record instanceof SenderKeyRecord)
    const { body, record: after } = encryptForGroup(record, Buffer.from('hello'))
    assert.equal((await decryptFromGroup(receiver, body)).plain.toString(), 'hello')
    assert.deepEqual(decodeKey('sender-key', encodeKey('sender-key', after)), after)
  })

  test('all other keys are JSON, with their bytes', () => {
    const pair = { private: Buffer.from('a'), public: Buffer.from('b') }
    assert.deepEqual(decodeKey('pre-key', encodeKey('pre-key', pair)), pair)
  })
})
