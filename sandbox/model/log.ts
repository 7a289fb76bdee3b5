// Log lines: one JSON object per line, with level, time and message.

export interface Log {
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
