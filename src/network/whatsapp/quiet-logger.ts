// What the library may say: a short line at debug level, and never the objects it would print with it (keys, stanzas).
import type { SocketConfig } from 'baileys'

type LibraryLogger = SocketConfig['logger']

export interface DebugLog {
  debug(words: string): void
}

export function createQuietLogger(log: DebugLog): LibraryLogger {
  const nothing = () => undefined
  const say = (first: unknown, second?: string) =>
    log.debug(`library: ${second ?? (typeof first === 'string' ? first : '')}`)
  const logger: LibraryLogger = {
    level: 'warn',
    child: () => logger,
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: say,
    error: say,
  }
  return logger
}
