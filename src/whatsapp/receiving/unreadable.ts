// Messages that could not be decrypted: asks their senders and the phone of the account, and reports those that no one answers. The list
// is stored before a message is acknowledged, so that a restart forgets none.
import { realTimers, type Timer, type Timers } from '../../kernel/async/timers.ts'
import { arrivalName, stanzaName } from '../../network/arrival-names.ts'
import type { Arrival } from '../../network/network.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import { type BinaryNode, decodeMessageNode, type WAMessageKey } from '../library/protocol.ts'
import type { HeldCredentials } from '../library/write-barrier.ts'
import {
  dueStep,
  isPeerMessage,
  retryCount,
  type UnreadableMessageRecord,
  type UnreadableReason,
  type UnreadableTimes,
} from './unreadable-rules.ts'

export interface Unreadable {
  /** Loads the messages of earlier connections. */
  load(): Promise<void>
  /** Resolves when the sender is asked. The acknowledgement waits until the message is stored. */
  failed(stanza: BinaryNode, reason: UnreadableReason): Promise<void>
  /** The message was read, or its content came from the phone. */
  arrived(messageId: string | null | undefined): void
  /** The connection can be used. */
  start(): void
  stop(): void
}

interface UnreadableParts {
  socket: () => Pick<LibrarySocket, 'requestAgain' | 'requestFromPhone' | 'me'>
  credentials: Pick<HeldCredentials, 'read' | 'writeBehind'>
  /** Follows an arrival that is being stored. */
  track(arrival: Arrival, stored: Promise<void>): void
  encode(attrs: Record<string, string>, reason: UnreadableReason): Uint8Array
  clock: () => number
  log: { debug(text: string): void }
  times?: Partial<UnreadableTimes> | undefined
  timers?: Timers | undefined
}

const KIND = 'unreadable'
const LIST = 'waiting'
const TIMES: UnreadableTimes = { phoneMs: 3000, reportMs: 60_000 }
/** A contact can send any number of them. Beyond this, the oldest is reported at once. */
const MAX_WAITING = 100
const POLL_MS = 1000

/** The messages that wait, and their copy in the store: without it a message is forgotten with the process. */
function createWaitingList({ credentials, track, encode, log }: UnreadableParts) {
  const waiting = new Map<string, UnreadableMessageRecord>()

  function save(arrivals: Arrival[] = []): void {
    const list = [...waiting.values()]
    const value = list.length === 0 ? null : Buffer.from(JSON.stringify(list))
    const stored = credentials.writeBehind([{ kind: KIND, name: LIST, value }], arrivals)
    // The write barrier closes the connection, and the network delivers the message again.
    stored.catch(() => undefined)
    for (const arrival of arrivals) track(arrival, stored)
  }
  return {
    waiting,
    save,
    async load(): Promise<void> {
      const stored = (await credentials.read(KIND, [LIST])).get(LIST)
      for (const message of stored ? parse(stored) : []) waiting.set(message.name, message)
    },
    /** Removes messages, and stores them as undecryptable in the same write. */
    report(messages: UnreadableMessageRecord[]): void {
      for (const { name } of messages) waiting.delete(name)
      const received = messages.filter((each) => !isPeerMessage(each))
      if (received.length < messages.length)
        log.debug('driver: a message of a device of the account could not be decrypted')
      save(
        received.map(({ name, attrs, reason }) => ({
          name: arrivalName(name, KIND),
          payload: encode(attrs, reason),
        })),
      )
    },
    /** The message, with one failure more. */
    add({ attrs }: BinaryNode, reason: UnreadableReason, nowMs: number): UnreadableMessageRecord {
      const name = stanzaName(attrs)
      const first = {
        name,
        attrs: { ...attrs },
        reason,
        failures: 0,
        failedAtMs: nowMs,
        phoneAskedAtMs: null,
      }
      const message: UnreadableMessageRecord = waiting.get(name) ?? first
      message.failures += 1
      waiting.set(name, message)
      return message
    },
  }
}

export function createUnreadable(parts: UnreadableParts): Unreadable {
  const { socket, clock, log, timers = realTimers } = parts
  const times = { ...TIMES, ...parts.times }
  const { waiting, save, load, report, add } = createWaitingList(parts)
  let isOpen = false
  let timer: Timer | undefined

  function work(): void {
    const now = clock()
    const due = Map.groupBy(waiting.values(), (message) => dueStep(message, now, times))
    const [toReport, toAsk] = [due.get('report') ?? [], due.get('ask_phone') ?? []]
    if (toReport.length > 0) report(toReport)
    if (toAsk.length > 0)
      void askPhone(parts, toAsk).then(
        () => save(),
        () => undefined,
      )
    schedule()
  }
  function schedule(): void {
    timers.clearTimeout(timer)
    if (!isOpen || waiting.size === 0) return
    timer = timers.setTimeout(work, Math.min(POLL_MS, times.phoneMs, times.reportMs))
    timer.unref()
  }

  return {
    load,
    async failed(stanza, reason) {
      // Without a chat and an author there is no one to ask, and nothing to report.
      if (!keyOf(stanza.attrs, socket().me)) return log.debug('driver: a message has no valid envelope')
      const message = add(stanza, reason, clock())
      const over = [...waiting.values()].slice(0, Math.max(0, waiting.size - MAX_WAITING))
      if (dueStep(message, clock(), times) === 'report') report([...over, message])
      else if (over.length > 0) report(over)
      else save()
      schedule()
      const count = retryCount(message, clock())
      if (count === undefined) return
      await socket()
        .requestAgain(stanza.attrs, count)
        .catch((error: unknown) => log.debug(`driver: could not ask for a message: ${String(error)}`))
    },
    arrived(messageId) {
      const found = [...waiting.values()].filter(({ attrs }) => attrs.id === messageId)
      if (found.length === 0) return
      for (const { name } of found) waiting.delete(name)
      save()
    },
    start() {
      isOpen = true
      work()
    },
    stop() {
      isOpen = false
      timers.clearTimeout(timer)
    },
  }
}

async function askPhone(
  { socket, clock, log }: Pick<UnreadableParts, 'socket' | 'clock' | 'log'>,
  messages: UnreadableMessageRecord[],
): Promise<void> {
  for (const message of messages) message.phoneAskedAtMs = clock()
  try {
    await socket().requestFromPhone(messages.flatMap(({ attrs }) => keyOf(attrs, socket().me) ?? []))
  } catch (error) {
    // The connection has ended: it is asked again.
    for (const message of messages) message.phoneAskedAtMs = null
    log.debug(`driver: could not ask the phone for a message: ${String(error)}`)
    throw error
  }
}

/** A list that a later version has written may have another form. */
function parse(stored: Uint8Array): UnreadableMessageRecord[] {
  const list: unknown = JSON.parse(Buffer.from(stored).toString())
  return Array.isArray(list) ? (list as UnreadableMessageRecord[]) : []
}

/** The message as the phone knows it. Undefined: the envelope has no valid chat or author. */
export function keyOf(attrs: Record<string, string>, me: LibrarySocket['me']): WAMessageKey | undefined {
  try {
    const { fullMessage } = decodeMessageNode({ tag: 'message', attrs }, me?.id ?? '', me?.lid ?? '')
    const { remoteJid, fromMe, id, participant } = fullMessage.key
    return { ...present({ remoteJid, fromMe, id, participant }) }
  } catch {
    return undefined
  }
}

const present = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
