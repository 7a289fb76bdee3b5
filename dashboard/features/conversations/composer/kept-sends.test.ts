// Messages that wait for the gateway: kept from before the first attempt, sent once and in order, and discarded on request.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { createKeptSends, type KeptSend } from './kept-sends.ts'
import type { SendRequest } from './send-body.ts'

const HOUR_MS = 3_600_000
const LOST = { status: 0, reason: 'unreachable' }
const request = (text: string, chat = 'ana'): SendRequest => ({
  instanceName: 'line',
  chat,
  route: 'sendText',
  path: '/send/text',
  body: { message: text },
  text,
})

function fakeStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size
    },
  }
}

describe('kept messages', () => {
  let storage: ReturnType<typeof fakeStorage>
  let now: number
  /** What the gateway answers, by text; absent: it takes the message. */
  let answers: Map<string, unknown>
  let calls: string[]
  let keys: Set<string>
  let count: number
  const page = () =>
    createKeptSends({
      storage,
      async call({ text, key }: KeptSend) {
        calls.push(text)
        keys.add(`${text} ${key}`)
        const answer = answers.get(text)
        if (answer !== undefined) throw answer
      },
      now: () => (now += 1),
      newKey: () => `key ${(count += 1)}`,
    })
  beforeEach(() => {
    storage = fakeStorage()
    now = 0
    answers = new Map()
    calls = []
    keys = new Set()
    count = 0
  })
  const texts = (kept: { list(): readonly KeptSend[] }) => kept.list().map(({ text }) => text)

  test('a message that the gateway takes leaves nothing behind', async () => {
    const kept = page()
    await kept.open(1)
    assert.equal(await kept.send(request('hello')), 'sent')
    assert.deepEqual([texts(kept), storage.items.size], [[], 0])
  })

  test('a message that does not reach the gateway is kept, and sent under the same key when it can be', async () => {
    const kept = page()
    await kept.open(1)
    answers.set('hello', LOST)
    assert.equal(await kept.send(request('hello')), 'kept')
    await kept.flush()
    assert.deepEqual(texts(kept), ['hello'])
    answers.clear()
    await kept.flush()
    assert.deepEqual([texts(kept), calls, keys.size], [[], ['hello', 'hello', 'hello'], 1])
  })

  test('a page that is closed before the answer leaves the message for the next one', async () => {
    const kept = page()
    await kept.open(1)
    answers.set('hello', LOST)
    const sending = kept.send(request('hello'))
    assert.equal(storage.items.size, 1, 'before the answer')
    await sending
    answers.clear()
    const next = page()
    await next.open(1)
    assert.deepEqual([texts(next), calls, keys.size], [[], ['hello', 'hello'], 1])
  })

  test('a browser without room for it says that the gateway cannot be reached', async () => {
    storage.setItem = () => {
      throw new Error('full')
    }
    const kept = page()
    await kept.open(1)
    answers.set('hello', LOST)
    await assert.rejects(kept.send(request('hello')))
  })

  test('later messages of the chat wait behind it; those of other chats do not', async () => {
    const kept = page()
    await kept.open(1)
    answers.set('one', LOST)
    await kept.send(request('one'))
    assert.equal(await kept.send(request('two')), 'kept')
    assert.equal(await kept.send(request('other', 'bob')), 'sent')
    assert.deepEqual(texts(kept), ['one', 'two'])
    answers.clear()
    calls = []
    await kept.flush()
    assert.deepEqual(calls, ['one', 'two'])
  })

  test('a refusal of the first attempt belongs to the form; a later one is shown with the message', async () => {
    const refusal = { status: 400, reason: 'invalid_request' }
    const kept = page()
    await kept.open(1)
    answers.set('hello', refusal)
    await assert.rejects(kept.send(request('hello')))
    assert.deepEqual(texts(kept), [])
    answers.set('hello', LOST)
    await kept.send(request('hello'))
    answers.set('hello', refusal)
    await kept.flush()
    calls = []
    await kept.flush()
    assert.deepEqual([calls, kept.list()[0]?.refusal], [[], 'invalid_request'])
    kept.discard(kept.list()[0]?.key ?? '')
    assert.deepEqual([texts(kept), storage.items.size], [[], 0])
  })

  test('refusals that pass do not end the waiting', async () => {
    const kept = page()
    await kept.open(1)
    for (const answer of [
      LOST,
      { status: 409, reason: 'idempotency_in_flight' },
      { status: 409, reason: 'instance_not_connected' },
      { status: 401, reason: 'unauthorized' },
      { status: 503, reason: 'unavailable' },
      { status: 504, reason: 'unreadable_answer' },
    ]) {
      answers.set('hello', answer)
      if (texts(kept).length === 0) await kept.send(request('hello'))
      await kept.flush()
      assert.deepEqual([texts(kept), kept.list()[0]?.refusal], [['hello'], undefined])
    }
  })

  test('after a day the gateway has forgotten the key: only the reader sends the message again', async () => {
    const kept = page()
    await kept.open(1)
    answers.set('hello', LOST)
    await kept.send(request('hello'))
    answers.clear()
    calls = []
    now += 24 * HOUR_MS
    await kept.flush()
    assert.deepEqual([texts(kept), calls], [['hello'], []])
    await kept.renew(kept.list()[0]?.key ?? '')
    assert.deepEqual([texts(kept), calls, keys.size], [[], ['hello'], 2])
  })

  test('accounts do not see each other’s messages', async () => {
    const kept = page()
    await kept.open(1)
    answers.set('hello', LOST)
    await kept.send(request('hello'))
    await kept.open(2)
    assert.deepEqual(texts(kept), [])
  })
})
