// Messages that could not be handed to the gateway. The browser keeps each under an idempotency key, from before its first attempt
// until the gateway has answered, and so it is sent once, also if an answer was lost or the page was closed meanwhile.
import { KEPT_PREFIX } from '../../../gateway/kept-prefix.ts'
import type { SendRequest } from './send-body.ts'

export interface KeptSend extends SendRequest {
  /** The idempotency key. */
  key: string
  /** When it was first attempted, in milliseconds. */
  at: number
  /** The reason of a refusal: it is not sent again. */
  refusal?: string
}

interface KeptParts {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  /** Hands a message to the gateway. */
  call(send: KeptSend): Promise<unknown>
  now(): number
  newKey(): string
}

export interface KeptSends {
  /** Those of this account, oldest first. The same list until it changes. */
  list(): readonly KeptSend[]
  onChange(listener: () => void): () => void
  /** Shows what is stored for this account, and sends it. */
  open(accountId: number): Promise<void>
  /** Resolves with `kept` if the gateway cannot be reached; rejects if it refuses the message. */
  send(request: SendRequest): Promise<'sent' | 'kept'>
  /** Sends what is kept, in its order per chat. */
  flush(): Promise<void>
  /** Sends one again that is too old to be sent by itself. */
  renew(key: string): Promise<void>
  discard(key: string): void
  /** Whether it is too old to be sent by itself. */
  isLate(send: KeptSend): boolean
}

export function createKeptSends({ storage, call, now, newKey }: KeptParts): KeptSends {
  const listeners = new Set<() => void>()
  /** Being sent for the first time: not shown as kept. */
  const fresh = new Set<string>()
  let account: number | undefined
  let shown: readonly KeptSend[] = []
  let flushing: Promise<void> | undefined
  let isRequestedAgain = false

  const { nameOf, stored, write } = keptIn(storage, () => account)
  function refresh(): void {
    shown = stored().filter(({ key }) => !fresh.has(key))
    for (const listener of listeners) listener()
  }
  const put = (send: KeptSend): boolean => {
    const isWritten = write(send)
    refresh()
    return isWritten
  }
  const remove = (key: string): void => {
    storage.removeItem(nameOf(key))
    refresh()
  }
  const isWaiting = (send: KeptSend): boolean => send.refusal === undefined && !isOld(send, now())

  async function sendKept(): Promise<void> {
    const blocked = new Set<string>()
    for (const send of shown.filter(isWaiting)) {
      const chat = `${send.instanceName} ${send.chat}`
      if (blocked.has(chat) || storage.getItem(nameOf(send.key)) === null) continue
      try {
        await call(send)
        remove(send.key)
      } catch (error) {
        if (isRefused(error)) put({ ...send, refusal: String((error as { reason?: string }).reason) })
        else blocked.add(chat)
      }
    }
  }

  /** A message that comes while others are being sent is sent after them. */
  function flush(): Promise<void> {
    isRequestedAgain = flushing !== undefined
    flushing ??= (async () => {
      do {
        isRequestedAgain = false
        await sendKept()
      } while (isRequestedAgain)
    })().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  async function sendFirst(send: KeptSend): Promise<'sent' | 'kept'> {
    fresh.add(send.key)
    const isWritten = write(send)
    try {
      await call(send)
      storage.removeItem(nameOf(send.key))
      return 'sent'
    } catch (error) {
      if (isLost(error) && isWritten) return 'kept'
      storage.removeItem(nameOf(send.key))
      throw error
    } finally {
      fresh.delete(send.key)
      refresh()
    }
  }

  return {
    list: () => shown,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open(accountId) {
      account = accountId
      refresh()
      return flush()
    },
    async send(request) {
      const send: KeptSend = { ...request, key: newKey(), at: now() }
      const isSameChat = (one: KeptSend) => one.instanceName === send.instanceName && one.chat === send.chat
      // A later message must not overtake one that is kept.
      if (!shown.some((one) => isSameChat(one) && isWaiting(one)) || !put(send)) return sendFirst(send)
      await flush()
      return 'kept'
    },
    flush,
    async renew(key) {
      const send = shown.find((one) => one.key === key)
      if (!send) return
      const { refusal: _, ...again } = send
      storage.removeItem(nameOf(key))
      put({ ...again, key: newKey(), at: now() })
      await flush()
    },
    discard: remove,
    isLate: (send) => isOld(send, now()),
  }
}

/** What is stored: an item for each message, so that several tabs do not overwrite each other. */
function keptIn(storage: KeptParts['storage'], accountOf: () => number | undefined) {
  const nameOf = (key: string): string => `${KEPT_PREFIX}${accountOf()}.${key}`
  return {
    nameOf,
    stored(): KeptSend[] {
      const prefix = nameOf('')
      const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
      return names
        .filter((name) => name.startsWith(prefix))
        .flatMap((name) => parsed(storage.getItem(name)))
        .toSorted((a, b) => a.at - b.at)
    },
    /** False: the browser has no room, or forbids it. */
    write(send: KeptSend): boolean {
      try {
        storage.setItem(nameOf(send.key), JSON.stringify(send))
        return true
      } catch {
        return false
      }
    },
  }
}

function parsed(text: string | null): KeptSend[] {
  try {
    return [JSON.parse(text ?? '') as KeptSend]
  } catch {
    return []
  }
}

// When a message is kept, when it is sent again, and when it is not.

/** What an error of the API client says about itself. */
interface Refusal {
  status: number
  reason: string
}
const refusalOf = (error: unknown): Refusal | undefined =>
  typeof error === 'object' && error !== null && 'status' in error && 'reason' in error
    ? (error as Refusal)
    : undefined

const PROXY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

/** The gateway was not reached, or its answer was lost, so whether it took the message is not known. */
function isLost(error: unknown): boolean {
  const refusal = refusalOf(error)
  if (!refusal) return false
  return (
    refusal.status === 0 || (refusal.reason === 'unreadable_answer' && PROXY_STATUSES.has(refusal.status))
  )
}

/** Refusals that end by themselves: a message that is kept waits for that. */
const PASSING: ReadonlySet<string> = new Set([
  'unauthorized',
  'csrf_failed',
  'idempotency_in_flight',
  'instance_not_connected',
  'queue_full',
  'rate_limited',
  'gateway_held',
])

/** Whether the gateway will not take the message later either. */
function isRefused(error: unknown): boolean {
  const refusal = refusalOf(error)
  if (!refusal || isLost(error)) return false
  return refusal.status < 500 && !PASSING.has(refusal.reason)
}

/** The gateway knows an idempotency key for a day (src/sending/rules.ts). Behind it, a message could be sent twice. */
const LONGEST_MS = 23 * 60 * 60 * 1000
const isOld = ({ at }: { at: number }, now: number): boolean => now - at > LONGEST_MS
