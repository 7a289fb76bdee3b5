/** Log lines: one JSON object each, with level, time and message. */

export type Log = {
  info(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

export function createLog(write: (line: string) => void): Log {
  const line =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      write(`${JSON.stringify({ level, time: Date.now(), msg: message, ...fields })}\n`)
  return { info: line('info'), error: line('error') }
}
