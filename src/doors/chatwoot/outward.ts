// From the network to Chatwoot: each event of the instance becomes calls, and none of them is made twice for one event
// (decision 0151).

import { currentChat } from '../../contacts/merge-people.ts'
import type { Deps, EventAttempt } from '../../context.ts'
import type { EventData } from '../../contract/events.ts'
import { NO_WALLS } from '../../contract/wall-values.ts'
import { type EntryName, entryName } from '../../kernel/async/entry-name.ts'
import { createKeyedMutex, createSemaphore } from '../../kernel/async/locks.ts'
import type { Outbound } from '../../kernel/outbound/client.ts'
import { readReceivedMedia } from '../../messages/received-media.ts'
import type { BridgeEvent, BridgeTests, EventToFormat } from '../../webhooks/delivery-format.ts'
import { ChatwootError, createChatwootApi } from './api.ts'
import { type DeskAttempt, mergeChats } from './conversations.ts'
import { type BridgedMessage, deliverMessage, deliverStatus, NOT_SENT } from './messages.ts'
import type { Bridge, ChatwootOptions } from './options.ts'

export interface OutwardParts extends Pick<Deps, 'store' | 'clock' | 'sessions' | 'files'> {
  post: Outbound['post']
}

/** All calls of one event. Less than the lock of a delivery, so that two attempts never run at the same time. */
const ATTEMPT_MS = 45_000
const TEST_MS = 10_000
/** Files that are not stored are in memory as a whole while they are sent on. */
const FILES_AT_ONCE = 2

export interface Outward {
  deliver: BridgeEvent
  /** Reads the inbox: it shows whether URL, account and token are still right. */
  test: BridgeTests[string]
  /** One message on request; resolves with what was done. Rejects with a `ChatwootError`. */
  push(bridge: Bridge, message: BridgedMessage, apiName: string, signal: AbortSignal): Promise<string>
}

export function createOutward(parts: OutwardParts): Outward {
  const { store, clock } = parts
  // Lane and retries of one webhook run beside each other; one chat has one conversation.
  const chats = createKeyedMutex<EntryName<'webhook'>>()
  const acquireFile = createSemaphore(FILES_AT_ONCE)
  const attemptOf = (bridge: Bridge, signal: AbortSignal): DeskAttempt => {
    const api = createChatwootApi(parts.post, { ...bridge.options, url: bridge.url, clock, signal })
    return { db: store.db, api, bridge, clock, signal }
  }

  const push: Outward['push'] = async (bridge, message, apiName, signal) => {
    const chat = await currentChat(store.db, bridge.instanceId, message.chat)
    const account = { account: { id: bridge.accountId }, scopes: [], walls: NO_WALLS }
    const readFile = ({ messageId }: BridgedMessage) =>
      readReceivedMedia(parts, account, { messageId, instanceName: apiName }, () => undefined)
    const release = message.media?.downloadPath ? await acquireFile() : () => undefined
    const work = () => deliverMessage(attemptOf(bridge, signal), { ...message, chat }, readFile)
    return chats.runExclusive(entryName('webhook', bridge.webhookId, chat), work).finally(release)
  }

  async function carryOut(bridge: Bridge, event: EventToFormat, signal: AbortSignal): Promise<string> {
    const data = JSON.parse(event.data) as unknown
    switch (event.name) {
      case 'messages.upsert':
        return push(bridge, data as BridgedMessage, event.api_name, signal)
      case 'messages.update':
        return deliverStatus(attemptOf(bridge, signal), data as EventData<'messages.update'>)
      case 'contacts.merged': {
        const { chat, mergedChat } = data as EventData<'contacts.merged'>
        const work = () => mergeChats(attemptOf(bridge, signal), mergedChat, chat)
        await chats.runExclusive(entryName('webhook', bridge.webhookId, chat), work)
        return 'The contact has the number.'
      }
      default:
        return NOT_SENT
    }
  }

  return {
    push,
    async test({ url, options: given }) {
      const at = clock()
      const options = given as ChatwootOptions
      const signal = AbortSignal.timeout(TEST_MS)
      const api = createChatwootApi(parts.post, { ...options, url, clock, signal })
      const verdict = await api.getInbox(options.inboxId).then(
        ({ name }) => delivered(`Chatwoot has the inbox ${name}.`),
        (error: unknown) => failedBy(error, signal),
      )
      return { at, headers: {}, ...verdict, durationMs: clock() - at }
    },
    async deliver(event, webhook, stopping) {
      const at = clock()
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(ATTEMPT_MS)])
      const verdict = await carryOut(bridgeOf(event, webhook), event, signal).then(
        delivered,
        (error: unknown) => failedBy(error, stopping),
      )
      return { at, headers: {}, ...verdict, durationMs: clock() - at }
    },
  }
}

const bridgeOf = (event: EventToFormat, webhook: Parameters<BridgeEvent>[1]): Bridge => ({
  webhookId: webhook.id,
  accountId: event.account_id,
  instanceId: event.instance_id,
  url: webhook.url,
  options: webhook.options as ChatwootOptions,
})

type Verdict = Omit<EventAttempt, 'at' | 'durationMs' | 'headers'>

const delivered = (answer: string): Verdict => ({
  status: answer === NOT_SENT ? null : 200,
  answer,
  error: null,
  isStopped: false,
  isGone: false,
  retryAfterMs: undefined,
})

function failedBy(error: unknown, stopping: AbortSignal): Verdict {
  const known = error instanceof ChatwootError ? error : undefined
  return {
    status: known?.status ?? null,
    answer: null,
    error: known?.message ?? 'The event could not be handed to Chatwoot.',
    isStopped: stopping.aborted && (known === undefined || known.isStopped),
    isGone: false,
    retryAfterMs: known?.retryAfterMs,
  }
}
