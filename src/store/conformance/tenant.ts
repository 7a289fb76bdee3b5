// The rows that conformance tests start from: an account with a plan, its instances, and sends to accept.
import { randomBytes } from 'node:crypto'
import { insertAccount, insertPlan } from '../../accounts/account-queries.ts'
import { deleteInstanceRows, insertInstance } from '../../instances/instance-queries.ts'
import type { SendToAccept } from '../../sending/outbox.ts'
import { deleteWebhooksOf } from '../../webhooks/webhook-queries.ts'
import type { Store } from '../store.ts'
import type { Db, Flag } from '../tables.ts'

/** A round time: tests use offsets from it. */
export const NOON = Date.UTC(2026, 0, 15, 12)
export const PERIOD = Date.UTC(2026, 0, 1)

export async function makeAccount(store: Store): Promise<number> {
  const plan = await insertPlan(store.db, {
    name: 'Plan',
    interval: 'month',
    currency: 'usd',
    amount: 0,
    limits: '{}',
    features: '{}',
    requests_per_second: null,
    created_at: NOON,
    updated_at: NOON,
  })
  const account = await insertAccount(store.db, {
    name: 'Account',
    plan_id: plan.id,
    status: 'active',
    current_period_start: PERIOD,
    current_period_end: null,
    trial_ends_at: null,
    expires_at: null,
    created_at: NOON,
    updated_at: NOON,
  })
  return account.id
}

export async function makeInstance(store: Store, accountId: number, loggedIn: Flag = 1): Promise<number> {
  const instance = await insertInstance(store.db, {
    account_id: accountId,
    display_name: 'Instance',
    api_name: `instance-${randomBytes(8).toString('hex')}`,
    integration: null,
    state: 'open',
    state_reason: null,
    logged_in: loggedIn,
    number: null,
    lid: null,
    profile_name: null,
    created_at: NOON,
    updated_at: NOON,
  })
  return instance.id
}

export interface Tenant {
  accountId: number
  instanceId: number
  /** A send of this account and instance, with ordinary values for everything that the test does not set. */
  send(change?: Partial<SendToAccept>): SendToAccept
}

/** A send with ordinary values for everything that the test does not set. */
export const sendToAccept = (
  given: Pick<SendToAccept, 'accountId' | 'instanceId'> & Partial<SendToAccept>,
): SendToAccept => ({
  messageId: `3EB0${randomBytes(9).toString('hex').toUpperCase()}`,
  chat: '5511912345678@s.whatsapp.net',
  number: '5511912345678',
  groupJid: null,
  kind: 'text',
  content: '{"message":"hi"}',
  event: { text: 'hi', status: 'queued' },
  delayMs: 0,
  reference: null,
  createdAt: NOON,
  period: PERIOD,
  messageLimit: null,
  messages: 1,
  sends: 1,
  sendAt: null,
  expiresAt: null,
  idempotency: null,
  ...given,
})

export async function makeTenant(store: Store): Promise<Tenant> {
  const accountId = await makeAccount(store)
  const instanceId = await makeInstance(store, accountId)
  const send = (change: Partial<SendToAccept> = {}): SendToAccept =>
    sendToAccept({ accountId, instanceId, ...change })
  return { accountId, instanceId, send }
}

export async function queuedCount(store: Store, instanceId: number): Promise<number> {
  const row = await store.db
    .selectFrom('instances')
    .select('queued_count')
    .where('id', '=', instanceId)
    .executeTakeFirstOrThrow()
  return row.queued_count
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Deletes an instance as the domain does. */
export async function removeInstance(tx: Db, instanceId: number): Promise<void> {
  await tx.updateTable('instances').set({ deleted_at: NOON }).where('id', '=', instanceId).execute()
  await deleteInstanceRows(tx, instanceId)
  await deleteWebhooksOf(tx, 'instance_id', instanceId)
}
