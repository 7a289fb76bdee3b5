// A logger for the library: a short line at debug level, without the objects that it logs (keys, stanzas).
import type { SocketConfig } from 'baileys'

type LibraryLogger = SocketConfig['logger']

export interface DebugLog {
  debug(message: string): void
}

export function createQuietLogger(log: DebugLog): LibraryLogger {
  const ignore = () => undefined
  const logLine = (first: unknown, second?: string) =>
    log.debug(`library: ${second ?? (typeof first === 'string' ? first : '')}`)
  const logger: LibraryLogger = {
    level: 'warn',
    child: () => logger,
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn: logLine,
    error: logLine,
  }
  return logger
}
