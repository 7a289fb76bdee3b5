// Messages of strangers: numbers beyond the protocol, forged messages that ask for work, records that grow. Each ends at once, costs
// a bounded number of steps, and leaves what is stored small.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { calculateMAC } from '../src/crypto.ts'
import { calculateSignature } from '../src/curve.ts'
import { MessageCounterError } from '../src/errors.ts'
import {
  createSenderKey,
  decryptFromGroup,
  distributionOf,
  encryptForGroup,
  SenderKeyRecord,
  SessionRecord,
  withDistribution,
} from '../src/index.ts'
import { encryptMessage, readMessage } from '../src/message.ts'
import { PreKeyWhisperMessage, WhisperMessage, writeFields } from '../src/protobufs.ts'
import type { SenderKey } from '../src/sender-key.ts'
import type { Session } from '../src/session.ts'
import { decryptWithAny } from '../src/session-cipher.ts'
import { createSide, type Kind, type Sealed, type Side } from './sides.ts'

const VERSION = Buffer.from([0x33])
const CHAIN_SEED = Buffer.from([2])
const FULL = { steps: Infinity, sessions: Infinity }
const HUGE = 2 ** 53

const keyOf = (record: SenderKeyRecord): SenderKey => record.keys[0] as SenderKey

/** The same key after this many more messages, which were never sent. */
function ahead(record: SenderKeyRecord, count: number): SenderKeyRecord {
  let { chainKey, iteration } = keyOf(record)
  for (let step = 0; step < count; step += 1) chainKey = calculateMAC(chainKey, CHAIN_SEED)
  iteration += count
  return new SenderKeyRecord([{ ...keyOf(record), chainKey, iteration }])
}

const encrypt = (record: SenderKeyRecord, text: string): Buffer =>
  encryptForGroup(record, Buffer.from(text)).body

function signedGroupMessage(record: SenderKeyRecord, fields: [number, number | Buffer][]): Buffer {
  const signed = Buffer.concat([VERSION, writeFields(fields)])
  return Buffer.concat([signed, calculateSignature(keyOf(record).signingSecret as Buffer, signed)])
}

const recordOf = (side: Side): SessionRecord => {
  const { session } = JSON.parse(side.save()) as { session: string }
  return SessionRecord.deserialize(Buffer.from(session, 'base64'))
}

const openOf = (side: Side): Session => recordOf(side).openSession() as Session

async function talk(kindB: Kind = 'own'): Promise<[Side, Side]> {
  const [a, b] = [createSide('own', 'b'), createSide(kindB, 'a')]
  await a.begin(b.publish())
  assert.equal(await b.decrypt(await a.encrypt('first')), 'first')
  assert.equal(await a.decrypt(await b.encrypt('answer')), 'answer')
  return [a, b]
}

/** A forged message, on a chain that the recipient does not know. */
const forged = (counter: number, ephemeralKey = createSide('own', 'x').publish().identityKey): Sealed => {
  const fields = { ephemeralKey, counter, previousCounter: 4_000_000_000, ciphertext: Buffer.alloc(16) }
  return { type: 1, body: Buffer.concat([VERSION, WhisperMessage.encode(fields), Buffer.alloc(8)]) }
}

describe('numbers beyond 32 bits', () => {
  test('a distribution with iteration 2^53 and a message with 2^53 + 2 end with an error at once', async () => {
    const sender = createSenderKey()
    const { id, chainKey, signingKey } = keyOf(sender)
    const distribution = (iteration: number) =>
      Buffer.concat([
        VERSION,
        writeFields([
          [1, id],
          [2, iteration],
          [3, chainKey],
          [4, signingKey],
        ]),
      ])
    assert.throws(() => withDistribution(null, distribution(HUGE)), /number/i)
    const message = signedGroupMessage(sender, [
      [1, id],
      [2, HUGE + 2],
      [3, Buffer.alloc(16)],
    ])
    await assert.rejects(decryptFromGroup(withDistribution(null, distribution(0)), message), /number/i)
  })

  test('a sender key of an earlier version with such a number is dropped when it is read; a distribution replaces it', async () => {
    const sender = createSenderKey()
    const stored = new SenderKeyRecord([{ ...keyOf(sender), signingSecret: null, iteration: HUGE }]).toBytes()
    const read = SenderKeyRecord.deserialize(stored)
    assert.equal(read.keys.length, 0)
    await assert.rejects(decryptFromGroup(read, encrypt(sender, '?')), /No session found/)
    const renewed = withDistribution(read, distributionOf(sender))
    assert.equal((await decryptFromGroup(renewed, encrypt(sender, 'read'))).plain.toString(), 'read')
  })

  test('a session of an earlier version with such a number is dropped when it is read, the others stay', async () => {
    const [a] = await talk()
    const session = openOf(a)
    const [chain] = session.receiving
    const broken: Partial<Session>[] = [
      { registrationId: HUGE },
      { previousCounter: HUGE },
      { sending: { key: Buffer.alloc(32), counter: HUGE } },
      { receiving: [{ ...chain!, counter: HUGE }] },
      { receiving: [{ ...chain!, skipped: new Map([[HUGE, Buffer.alloc(32)]]) }] },
      { pendingPreKey: { baseKey: session.baseKey, signedKeyId: HUGE, preKeyId: null } },
    ]
    for (const change of broken) {
      const record = new SessionRecord([{ ...session, ...change }, session])
      assert.deepEqual(SessionRecord.deserialize(record.toBytes()).sessions, [session])
    }
  })

  test('a chain never goes beyond 32 bits', async () => {
    const last = 2 ** 32 - 1
    const sender = createSenderKey()
    const atEnd = new SenderKeyRecord([{ ...keyOf(sender), iteration: last - 1 }])
    const reader = withDistribution(null, distributionOf(atEnd))
    const { record, body } = encryptForGroup(atEnd, Buffer.from('last'))
    assert.equal((await decryptFromGroup(reader, body)).plain.toString(), 'last')
    assert.throws(() => encryptForGroup(record, Buffer.from('one more')), /too long/)
  })
})

describe('work that a message asks for', () => {
  test('a forged message costs one budget of steps, however many sessions the sender has begun', async () => {
    const [a, b] = await talk()
    for (let count = 0; count < 39; count += 1) {
      await a.begin(b.publish())
      await b.decrypt(await a.encrypt('another session'))
    }
    const record = recordOf(b)
    assert.equal(record.sessions.length, 40)
    const budget = { left: 2000 }
    const message = readMessage(forged(999).body)
    assert.throws(
      () => decryptWithAny(record, message, Buffer.alloc(33), FULL, budget),
      /No matching sessions/,
    )
    assert.equal(budget.left, 0)
    // A message of the chain that is in use is tried there first, and is not tried elsewhere when its key was used before.
    const again = await a.encrypt('once')
    assert.equal(await b.decrypt(again), 'once')
    const untouched = { left: 2000 }
    assert.throws(
      () => decryptWithAny(recordOf(b), readMessage(messageIn(again)), Buffer.alloc(33), FULL, untouched),
      MessageCounterError,
    )
    assert.equal(untouched.left, 2000)
  })

  test('a forged message changes nothing that is stored', async () => {
    const [a, b] = await talk()
    const before = b.save()
    const { ratchetKey } = recordOf(b).sessions[0]!.receiving[0]!
    for (const message of [forged(1999), forged(1999, ratchetKey), forged(0), forged(2 ** 32 - 1)])
      await assert.rejects(b.decrypt(message), /No matching sessions/)
    assert.equal(b.save(), before)
    assert.equal(await b.decrypt(await a.encrypt('honest')), 'honest')
  })

  test('after ten forged messages in a minute, honest messages of that sender are still read', async () => {
    const [a, b] = await talk()
    const skipped: Sealed[] = []
    for (let count = 0; count < 150; count += 1) skipped.push(await a.encrypt(`${count}`))
    for (let count = 0; count < 10; count += 1) await assert.rejects(b.decrypt(forged(1999)))
    // Costs more steps than a limited sender gets; a retry receipt follows.
    await assert.rejects(b.decrypt(skipped[149]!), /No matching sessions/)
    assert.equal(await b.decrypt(skipped[0]!), '0')
    assert.equal(await b.decrypt(skipped[60]!), '60')
    assert.equal(await b.decrypt(skipped[149]!), '149')
    // The answer to a retry receipt: a new session.
    await a.begin(b.publish())
    assert.equal(await b.decrypt(await a.encrypt('again')), 'again')
  })

  for (const kind of ['own', 'wasm'] as const)
    test(`${kind} ignores how long the sender says its previous chain was`, async () => {
      const [a, b] = await talk(kind)
      const session = { ...openOf(a), previousCounter: 4_000_000_000 }
      const { identityKey, registrationId } = a.publish()
      const { body } = encryptMessage(session, Buffer.from('next chain'), { identityKey, registrationId })
      assert.equal(await b.decrypt({ type: 1, body }), 'next chain')
    })
})

describe('what a contact can make a record grow to', () => {
  test('2,000 keys of missing messages in all sessions together, and the newest are kept', async () => {
    const [a, b] = await talk()
    let last: Sealed[] = []
    for (let round = 0; round < 3; round += 1) {
      await a.begin(b.publish())
      last = []
      for (let count = 0; count < 1500; count += 1) last.push(await a.encrypt(`${count}`))
      assert.equal(await b.decrypt(last[1499]!), '1499')
    }
    const record = recordOf(b)
    assert.equal(skippedIn(record), 2000)
    assert.ok(record.toBytes().length < 100_000, `${record.toBytes().length} bytes`)
    for (const index of [0, 700, 1498]) assert.equal(await b.decrypt(last[index]!), `${index}`)
  })

  test('five chains a session', async () => {
    const [a, b] = await talk()
    const late = await a.encrypt('late')
    const lost = await a.encrypt('never delivered')
    for (let turn = 0; turn < 8; turn += 1) {
      assert.equal(await b.decrypt(await a.encrypt('there')), 'there')
      assert.equal(await a.decrypt(await b.encrypt('and back')), 'and back')
      if (turn === 3) assert.equal(await b.decrypt(late), 'late')
    }
    assert.equal(recordOf(b).sessions[0]!.receiving.length, 5)
    await assert.rejects(b.decrypt(lost))
  })

  test('a larger record of an earlier version is trimmed when it is read', async () => {
    const [a, b] = await talk()
    const session = openOf(b)
    const skipped = new Map(Array.from({ length: 500 }, (_, number) => [number, Buffer.alloc(32, number)]))
    const chains = Array.from({ length: 19 }, (_, index) => ({
      ratchetKey: Buffer.alloc(33, index),
      key: null,
      counter: 500,
      skipped,
    }))
    const large = new SessionRecord([{ ...session, receiving: [...chains, ...session.receiving] }])
    assert.ok(large.toBytes().length > 300_000)
    const read = SessionRecord.deserialize(large.toBytes())
    assert.equal(read.sessions[0]!.receiving.length, 5)
    assert.equal(skippedIn(read), 2000)
    b.restore(JSON.stringify({ session: large.toBytes().toString('base64'), preKeys: [] }))
    assert.equal(await b.decrypt(await a.encrypt('continues')), 'continues')
  })

  test('sender keys: 2,000 keys of missing messages in all keys of the sender together', async () => {
    let reader: SenderKeyRecord | null = null
    for (let round = 0; round < 3; round += 1) {
      const sender = createSenderKey()
      reader = withDistribution(reader, distributionOf(sender))
      reader = (await decryptFromGroup(reader, encrypt(ahead(sender, 1500), 'far'))).record
    }
    assert.equal(
      reader!.keys.reduce((total, { skipped }) => total + skipped.size, 0),
      2000,
    )
  })
})

describe('a sender key that is behind', () => {
  test('25,000 messages may be missing, and the newest 2,000 of them can still arrive', async () => {
    const sender = createSenderKey()
    const reader = withDistribution(null, distributionOf(sender))
    const late = ahead(sender, 24_000)
    const { record, plain } = await decryptFromGroup(reader, encrypt(ahead(late, 1000), 'far ahead'))
    assert.equal(plain.toString(), 'far ahead')
    assert.equal(keyOf(record).skipped.size, 2000)
    assert.equal((await decryptFromGroup(record, encrypt(late, 'late'))).plain.toString(), 'late')
    const tooFar = encrypt(ahead(ahead(late, 1000), 1), 'one more')
    await assert.rejects(decryptFromGroup(reader, tooFar), /into the future/)
  })

  test('a fresh distribution of the same key replaces a state that no message can reach', async () => {
    const sender = createSenderKey()
    const reader = withDistribution(null, distributionOf(sender))
    const late = encrypt(ahead(sender, 1), 'late')
    const { record: stuck } = await decryptFromGroup(reader, encrypt(ahead(sender, 3), '3'))
    const now = ahead(sender, 25_005)
    await assert.rejects(decryptFromGroup(stuck, encrypt(now, 'unread')), /into the future/)
    const renewed = withDistribution(stuck, distributionOf(now))
    const { record, plain } = await decryptFromGroup(renewed, encrypt(now, 'read'))
    assert.equal(plain.toString(), 'read')
    assert.equal((await decryptFromGroup(record, late)).plain.toString(), 'late')
  })

  test('a message that takes many steps lets other work run in between', async () => {
    const sender = createSenderKey()
    const message = encrypt(ahead(sender, 20_000), 'far')
    let turns = 0
    const timer = setInterval(() => (turns += 1), 0)
    await decryptFromGroup(withDistribution(null, distributionOf(sender)), message).finally(() =>
      clearInterval(timer),
    )
    assert.ok(turns > 2, `${turns} turns`)
  })
})

const skippedIn = ({ sessions }: SessionRecord): number =>
  sessions.flatMap(({ receiving }) => receiving).reduce((total, { skipped }) => total + skipped.size, 0)

/** The ordinary message inside one with a pre-key. */
const messageIn = ({ type, body }: Sealed): Buffer =>
  type === 1 ? body : PreKeyWhisperMessage.decode(body.subarray(1)).message
