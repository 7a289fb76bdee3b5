import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseDeliveries, type DueDelivery, type WebhookCandidates } from './rules.ts'

const lane = (webhookId: number, instanceId: number, dueAt = instanceId): DueDelivery => ({
  kind: 'lane',
  webhookId,
  instanceId,
  dueAt,
})
const retry = (webhookId: number, deliveryId: number, dueAt = deliveryId): DueDelivery => ({
  kind: 'retry',
  webhookId,
  deliveryId,
  dueAt,
})
const webhook = (change: Partial<WebhookCandidates>): WebhookCandidates => ({
  lanes: [],
  retries: [],
  isBatched: false,
  lockedLanes: 0,
  lockedRetries: 0,
  ...change,
})
const names = (chosen: DueDelivery[]): string[] =>
  chosen.map(
    (each) => `${each.webhookId}${each.kind === 'lane' ? `L${each.instanceId}` : `R${each.deliveryId}`}`,
  )
const LIMITS = { limit: 100, perWebhook: 4 }

test('first attempts and retries share the slots of a webhook', () => {
  const lanes = [1, 2, 3].map((id) => lane(7, id))
  const retries = [1, 2, 3, 4, 5].map((id) => retry(7, id))
  const chosen = names(chooseDeliveries([webhook({ lanes, retries })], LIMITS))
  assert.deepEqual(chosen, ['7L1', '7R1', '7L2', '7R2'])
})

test('a free slot goes to the kind that has fewer locked, or to the other kind when that has nothing due', () => {
  const [lanes, retries] = [[lane(7, 1)], [retry(7, 1), retry(7, 2)]]
  const chosen = (locked: Partial<WebhookCandidates>) =>
    names(chooseDeliveries([webhook({ lanes, retries, ...locked })], LIMITS))
  assert.deepEqual(chosen({ lockedLanes: 1, lockedRetries: 2 }), ['7L1'])
  assert.deepEqual(chosen({ lockedLanes: 2, lockedRetries: 1 }), ['7R1'])
  assert.deepEqual(chosen({ lockedLanes: 4 }), [])
  assert.deepEqual(names(chooseDeliveries([webhook({ retries })], LIMITS)), ['7R1', '7R2'])
})

test('a webhook with a long queue gets no second slot before another got its first', () => {
  const busy = webhook({ retries: [1, 2, 3, 4, 5].map((id) => retry(7, id)) })
  const late = webhook({ lanes: [lane(8, 99)] })
  assert.deepEqual(names(chooseDeliveries([busy, late], { limit: 2, perWebhook: 4 })), ['7R1', '8L99'])
  assert.deepEqual(names(chooseDeliveries([late, busy], LIMITS)), ['7R1', '8L99', '7R2', '7R3', '7R4'])
})

test('lanes of a batched webhook share requests: many are claimed, and retries keep slots of their own', () => {
  const lanes = Array.from({ length: 40 }, (_, index) => lane(7, index + 1))
  const retries = [1, 2, 3, 4, 5].map((id) => retry(7, id))
  const chosen = (locked: Partial<WebhookCandidates> = {}) =>
    chooseDeliveries([webhook({ isBatched: true, lanes, retries, ...locked })], LIMITS).map(
      ({ kind }) => kind,
    )
  const counts = (kinds: string[]) =>
    ['lane', 'retry'].map((kind) => kinds.filter((one) => one === kind).length)
  assert.deepEqual(counts(chosen()), [32, 4])
  assert.deepEqual(counts(chosen({ lockedLanes: 30 })), [2, 4])
  assert.deepEqual(counts(chosen({ lockedLanes: 32, lockedRetries: 3 })), [0, 1])
  assert.deepEqual(counts(chosen({ lockedLanes: 40, lockedRetries: 4 })), [0, 0])
})
