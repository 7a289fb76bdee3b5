// Conversations between this package and the JavaScript library that other programs on the network use, in both directions.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSide, PAIRS, type Sealed, type Side } from './sides.ts'

async function introduce(a: Side, b: Side, withPreKey = true): Promise<void> {
  await a.begin(b.publish(withPreKey))
  assert.equal(await b.decrypt(await a.encrypt('first')), 'first')
}

const seal = async (side: Side, texts: string[]): Promise<Sealed[]> => {
  const sealed: Sealed[] = []
  for (const text of texts) sealed.push(await side.encrypt(text))
  return sealed
}

/** The JavaScript library steps the ratchet of a session before it finds that a message belongs to another one, and keeps that. */
async function deliver(to: Side, messages: Sealed[], order: number[]): Promise<void> {
  if (to.kind === 'javascript') return
  const name = to.peer === 'a' ? 'a' : 'b'
  for (const index of order) assert.equal(await to.decrypt(messages[index]!), `${name}${index}`)
}

for (const [kindA, kindB] of PAIRS)
  describe(`${kindA} writes to ${kindB}`, () => {
    const sides = (): [Side, Side] => [createSide(kindA, 'b'), createSide(kindB, 'a')]

    test('messages carry the pre-key until the first answer, which uses it up once', async () => {
      const [a, b] = sides()
      await a.begin(b.publish())
      const sealed = await seal(a, ['one', 'two'])
      assert.deepEqual(
        sealed.map(({ type }) => type),
        [3, 3],
      )
      for (const [index, text] of ['one', 'two'].entries())
        assert.equal(await b.decrypt(sealed[index]!), text)
      assert.equal(b.preKeys(), 0)
      assert.equal(await a.decrypt(await b.encrypt('answer')), 'answer')
      assert.equal((await a.encrypt('three')).type, 1)
    })

    test('a device that has no one-time keys left can be written to', async () => {
      const [a, b] = sides()
      await introduce(a, b, false)
      assert.equal(await a.decrypt(await b.encrypt('answer')), 'answer')
    })

    test('200 turns with several messages each', async () => {
      const [a, b] = sides()
      await introduce(a, b)
      for (let turn = 0; turn < 200; turn += 1) {
        const [from, to] = turn % 2 ? [a, b] : [b, a]
        for (let i = 0; i <= turn % 3; i += 1) {
          const text = `${turn}.${i}`
          assert.equal(await to.decrypt(await from.encrypt(text)), text)
        }
      }
    })

    test('messages out of order, also after later turns', async () => {
      const [a, b] = sides()
      await introduce(a, b)
      const early = await seal(a, ['0', '1', '2', '3', '4'])
      assert.equal(await b.decrypt(early[4]!), '4')
      assert.equal(await a.decrypt(await b.encrypt('answer')), 'answer')
      assert.equal(await b.decrypt(await a.encrypt('later')), 'later')
      for (const index of [2, 0, 3, 1]) assert.equal(await b.decrypt(early[index]!), String(index))
    })

    test('a message decrypts once', async () => {
      const [a, b] = sides()
      await introduce(a, b)
      const message = await a.encrypt('once')
      assert.equal(await b.decrypt(message), 'once')
      await assert.rejects(b.decrypt(message))
      assert.equal(await b.decrypt(await a.encrypt('next')), 'next')
    })

    test('both sides begin at the same time: messages of both sessions arrive in any order', async () => {
      const [a, b] = sides()
      await a.begin(b.publish())
      await b.begin(a.publish())
      const fromA = await seal(a, ['a0', 'a1', 'a2'])
      const fromB = await seal(b, ['b0', 'b1', 'b2'])
      await deliver(b, fromA, [1])
      await deliver(a, fromB, [2])
      fromA.push(...(await seal(a, ['a3', 'a4'])))
      fromB.push(...(await seal(b, ['b3', 'b4'])))
      await deliver(a, fromB, [4, 3, 1, 0])
      await deliver(b, fromA, [4, 3, 2, 0])
    })

    test('a changed byte is refused, and the message itself can still be decrypted', async () => {
      const [a, b] = sides()
      await introduce(a, b)
      assert.equal(await a.decrypt(await b.encrypt('answer')), 'answer')
      const message = await a.encrypt('intact')
      if (b.kind === 'javascript') return
      for (let index = 0; index < message.body.length; index += 1) {
        const body = Buffer.from(message.body)
        body[index]! ^= 1
        await assert.rejects(b.decrypt({ ...message, body }), `byte ${index}`)
      }
      for (const length of [0, 1, 8, 9, 20]) {
        const body = message.body.subarray(0, length)
        await assert.rejects(b.decrypt({ ...message, body }), `${length} bytes`)
      }
      assert.equal(await b.decrypt(message), 'intact')
    })

    test('a message to a forgotten session is answered with a new session', async () => {
      const [a, b] = sides()
      await introduce(a, b)
      const lost = createSide(kindB, 'a')
      await assert.rejects(lost.decrypt({ type: 1, body: (await a.encrypt('?')).body }))
      await a.begin(lost.publish())
      assert.equal(await lost.decrypt(await a.encrypt('again')), 'again')
      assert.equal(await a.decrypt(await lost.encrypt('here')), 'here')
    })
  })

test('a bundle with a wrong signature begins no session', async () => {
  const [a, b] = [createSide('own', 'b'), createSide('own', 'a')]
  const bundle = b.publish()
  bundle.signedPreKey.signature[3]! ^= 1
  await assert.rejects(a.begin(bundle), /Invalid signature/)
  await assert.rejects(a.encrypt('none'), /No sessions/)
})

test('a state that the JavaScript library stored is continued', async () => {
  const [a, b] = [createSide('javascript', 'b'), createSide('own', 'a')]
  await introduce(a, b)
  assert.equal(await a.decrypt(await b.encrypt('answer')), 'answer')
  const late = await seal(b, ['l0', 'l1', 'l2'])
  assert.equal(await a.decrypt(late[2]!), 'l2')
  const successor = a.as('own')
  assert.equal(await successor.decrypt(late[0]!), 'l0')
  assert.equal(await b.decrypt(await successor.encrypt('from the successor')), 'from the successor')
  assert.equal(await successor.decrypt(await b.encrypt('to the successor')), 'to the successor')
  assert.equal(await successor.decrypt(late[1]!), 'l1')
})
