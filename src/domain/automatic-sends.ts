// Messages that the gateway sends without a call, through the same outbox and under the same limits as those of callers.
import { GatewayError } from '../errors.ts'
import { hasAccess } from '../rules/subscription.ts'
import { findAccount, findPlan } from '../store/queries/accounts.ts'
import { findInstanceById } from '../store/queries/instances.ts'
import type { Deps } from './deps.ts'
import { acceptMessage, type OutgoingMessage } from './sending.ts'

export interface AutomaticText {
  to: OutgoingMessage['to']
  text: string
  /** A text with the same key is sent once. Callers cannot use such a key: it contains a line break. */
  key: string
  /** Default: a new one. */
  messageId?: string | undefined
}

/** False: the account may not send now, by its subscription, its plan or its queue. */
export async function sendAutomatically(
  deps: Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'trace'>,
  instanceId: number,
  { to, text, key, messageId }: AutomaticText,
): Promise<boolean> {
  const { store, clock } = deps
  const instance = await findInstanceById(store.db, instanceId)
  const account = instance && (await findAccount(store.db, instance.account_id))
  const plan = account && (await findPlan(store.db, account.plan_id))
  if (!instance || !account || !plan || !hasAccess(account, clock())) return false
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
    await acceptMessage(
      { ...deps, instanceIds: async () => instanceId },
      { account, plan },
      message,
      `auto\n${key}`,
    )
    return true
  } catch (error) {
    if (error instanceof GatewayError) return false
    throw error
  }
}
