// A logger for the library: a short line at debug level, without the objects that it logs (keys, stanzas). It is also where changes
// of the owner's account are read: the library traces every one of them, but has no event for some, such as a cleared chat, and
// holds others back during the first synchronisation.
import type { proto, SocketConfig } from 'baileys'
import { type Clock, monotonicClock } from '../../kernel/async/clock.ts'
import { endUnreadable, givenUpMessage } from './retry-requests.ts'

type LibraryLogger = SocketConfig['logger']

export interface DebugLog {
  debug(message: string): void
}

/** A change as the library decrypts it. The index has its kind, the chat and, for a star, the message. */
export interface SyncAction {
  index: string[]
  value: proto.ISyncActionValue
  /** Of the first synchronisation after pairing. */
  isInitial: boolean
}

/** What the library traces for each change. */
interface TracedAction {
  syncAction: { index: string[]; syncAction: { value?: proto.ISyncActionValue | null } }
  initialSync: boolean
}
const SYNC_ACTION_TRACE = 'processing sync action'

export function createQuietLogger(
  log: DebugLog,
  onSyncAction: (action: SyncAction) => void,
  onGivenUp: (text: string) => void = () => undefined,
): LibraryLogger {
  const ignore = () => undefined
  const logLine = (first: unknown, second?: string) =>
    log.debug(`library: ${second ?? (typeof first === 'string' ? first : '')}`)
  const logger: LibraryLogger = {
    level: 'warn',
    child: () => logger,
    trace: (first: unknown, second?: string) => {
      if (second !== SYNC_ACTION_TRACE) return
      const { syncAction, initialSync } = first as TracedAction
      onSyncAction({
        index: syncAction.index,
        value: syncAction.syncAction.value ?? {},
        isInitial: initialSync,
      })
    },
    debug: ignore,
    info: createSyncLimit(),
    warn: logLine,
    error: (first: unknown, second?: string) => {
      logLine(first, second)
      endUnreadable(first, second)
      const message = givenUpMessage(first, second)
      if (message !== undefined) onGivenUp(message)
    },
  }
  return logger
}

// Ends a synchronisation of the owner's account (app state) that makes no progress. The library requests a collection until the network
// says that it is complete: an answer that does not contain it, or that always promises more, would be requested for ever, under the
// lock that sending and receiving need.

/** The library itself tries a collection that it cannot read again, once or twice. */
const MAX_REQUESTS = 10
const WINDOW_MS = 60_000
const MAX_COLLECTIONS = 50
/** The line that the library logs before each request. */
const REQUEST_LINE = /^resyncing (.+) from v(\d+)/

/** Called with each line. Throws in the middle of the library's loop, which ends it and releases the lock. */
export function createSyncLimit(clock: Clock = monotonicClock): (line: unknown) => void {
  const requests = new Map<string, { version: string; count: number; since: number }>()
  return (line) => {
    const [, name, version] = (typeof line === 'string' && REQUEST_LINE.exec(line)) || []
    if (name === undefined || version === undefined) return
    const known = requests.get(name)
    const isRepeated = known?.version === version && clock() - known.since < WINDOW_MS
    const entry = isRepeated ? known : { version, count: 0, since: clock() }
    entry.count += 1
    requests.delete(name)
    requests.set(name, entry)
    if (requests.size > MAX_COLLECTIONS) requests.delete(requests.keys().next().value as string)
    if (entry.count > MAX_REQUESTS) throw new Error('the app state makes no progress')
  }
}
