// Messages that the gateway sends without a call, through the same outbox and under the same limits as messages of callers.

import { findAccount, findPlan } from '../accounts/account-queries.ts'
import { wallsOf } from '../accounts/api-keys.ts'
import { type ApiKeyRow, findApiKey } from '../accounts/key-queries.ts'
import { hasAccess } from '../accounts/rules.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { findInstanceById } from '../instances/instance-queries.ts'
import { acceptMessage, type OutgoingMessage } from './accept.ts'

export interface AutomaticText {
  to: OutgoingMessage['to']
  text: string
  /** A text with the same key is sent once. Callers cannot use such a key: it contains a line break. */
  key: string
  /** Default: a new one. */
  messageId?: string | undefined
  /** The key that wanted the text: it counts against the limits of this key, and waits for approval as its sends do. */
  keyId?: number | undefined
}

/** False: the text may not be sent now, by the subscription, the plan, the limits of the key, or the queue. */
export async function sendAutomatically(
  deps: Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'trace'>,
  instanceId: number,
  { to, text, key, messageId, keyId }: AutomaticText,
): Promise<boolean> {
  const { store, clock } = deps
  const instance = await findInstanceById(store.db, instanceId)
  const account = instance && (await findAccount(store.db, instance.account_id))
  const plan = account && (await findPlan(store.db, account.plan_id))
  if (!instance || !account || !plan || !hasAccess(account, clock())) return false
  const row = keyId === undefined ? undefined : await findApiKey(store.db, account.id, keyId)
  const sender = { account, plan, ...(row && { key: keyOf(row) }) }
  const message: OutgoingMessage = {
    instanceName: instance.api_name,
    messageId,
    to,
    kind: 'text',
    content: { message: text },
    sendAt: null,
    expiresAt: null,
    delayMs: 0,
    requestedDelayMs: 0,
    isAutomatic: true,
  }
  try {
    await acceptMessage({ ...deps, instanceIds: async () => instanceId }, sender, message, `auto\n${key}`)
    return true
  } catch (error) {
    if (error instanceof GatewayError) return false
    throw error
  }
}

const keyOf = (row: ApiKeyRow) => ({
  credential: { kind: 'api_key', id: row.id } as const,
  walls: wallsOf(row),
})
