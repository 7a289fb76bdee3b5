// Of the receipts of a message, those that can change something are stored, and no other resolves before the one that it relies on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisesSettled } from '../../test/support/manual-time.ts'
import type { NetworkEvent } from '../network/network.ts'
import { createReceiptNews } from './recorder.ts'

type Receipt = Extract<NetworkEvent, { kind: 'receipt' }>

const GROUP = '1@g.us'
const from = (by: string, status: Receipt['status'], ...messageIds: string[]): Receipt => ({
  kind: 'receipt',
  messageIds,
  status,
  atMs: 1,
  chat: [GROUP],
  by: [by],
})

interface Stored {
  receipt: Receipt
  /** Ends the commit. The receipt has moved these messages; all of them if absent. */
  commit(moved?: string[]): Promise<void>
  fail(): Promise<void>
}

function prepare() {
  const stored: Stored[] = []
  const news = createReceiptNews((receipt) => {
    const committed = Promise.withResolvers<readonly string[]>()
    stored.push({
      receipt,
      async commit(moved = receipt.messageIds) {
        committed.resolve(moved)
        await promisesSettled()
      },
      async fail() {
        committed.reject(new Error('disk full'))
        await promisesSettled()
      },
    })
    return committed.promise
  })
  /** Ends when the receipt may be acknowledged. */
  async function record(receipt: Receipt): Promise<{ isDone: boolean; error?: unknown }> {
    const state: { isDone: boolean; error?: unknown } = { isDone: false }
    news.record(receipt).then(
      () => (state.isDone = true),
      (error: unknown) => (state.error = error),
    )
    await promisesSettled()
    return state
  }
  return { stored, record }
}

const shown = (stored: Stored[]): string[] =>
  stored.map(({ receipt: { by, status, messageIds } }) => `${by.join()} ${status} ${messageIds.join()}`)

test('receipts of the other members wait for the commit of the first, and are not stored', async () => {
  const { stored, record } = prepare()
  const first = await record(from('ana', 'delivered', 'A'))
  const others = [await record(from('bob', 'delivered', 'A')), await record(from('eve', 'delivered', 'A'))]
  assert.deepEqual(
    [first, ...others].map(({ isDone }) => isDone),
    [false, false, false],
  )
  await stored[0]?.commit()
  assert.deepEqual(
    [first, ...others].map(({ isDone }) => isDone),
    [true, true, true],
  )
  const late = await record(from('joe', 'delivered', 'A'))
  assert.equal(late.isDone, true)
  assert.deepEqual(shown(stored), ['ana delivered A'])
})

test('a status that goes further is stored, also while an earlier one is under way', async () => {
  const { stored, record } = prepare()
  await record(from('ana', 'delivered', 'A'))
  await record(from('ana', 'read', 'A'))
  assert.deepEqual(shown(stored), ['ana delivered A', 'ana read A'])
  await stored[1]?.commit()
  await stored[0]?.commit()
  for (const status of ['delivered', 'read'] as const) await record(from('bob', status, 'A'))
  assert.deepEqual(shown(stored), ['ana delivered A', 'ana read A'])
  await record(from('bob', 'played', 'A'))
  assert.deepEqual(shown(stored).at(-1), 'bob played A')
})

test('a receipt that moved nothing, such as one of a stranger, keeps no other from being stored', async () => {
  const { stored, record } = prepare()
  await record(from('stranger', 'read', 'A'))
  await record(from('ana', 'read', 'A'))
  assert.deepEqual(shown(stored), ['stranger read A'])
  await stored[0]?.commit([])
  assert.deepEqual(shown(stored), ['stranger read A', 'ana read A'])
})

test('a receipt whose commit fails is rejected, and the one behind it is stored', async () => {
  const { stored, record } = prepare()
  const [first, second] = [await record(from('ana', 'read', 'A')), await record(from('bob', 'read', 'A'))]
  await stored[0]?.fail()
  assert.match(String(first.error), /disk full/)
  assert.equal(second.isDone, false)
  await stored[1]?.commit()
  assert.equal(second.isDone, true)
})

test('of several messages in one receipt, only those that it can move are stored', async () => {
  const { stored, record } = prepare()
  await record(from('ana', 'read', 'A'))
  await stored[0]?.commit()
  await record(from('bob', 'read', 'A', 'B'))
  await stored[1]?.commit()
  await record(from('eve', 'read', 'A', 'B'))
  assert.deepEqual(shown(stored), ['ana read A', 'bob read B'])
})
