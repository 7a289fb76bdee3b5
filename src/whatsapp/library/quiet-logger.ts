// A logger for the library: a short line at debug level, without the objects that it logs (keys, stanzas). It is also where changes
// of the owner's account are read: the library traces every one of them, but has no event for some, such as a cleared chat, and
// holds others back during the first synchronisation.
import type { proto, SocketConfig } from 'baileys'
import { endUnreadable, givenUpMessage } from './retry-requests.ts'
import { createSyncLimit } from './sync-limit.ts'

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
