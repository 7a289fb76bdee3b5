// Keeps libsignal from printing: it writes whole sessions with private keys to the console.

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const
const SILENCED = Symbol.for('switchboard.libsignal-silenced')

/** Drops whatever libsignal says through `console`; everybody else's words pass. Once per process. */
export function silenceLibsignal(target: Console = console): void {
  const marked = target as Console & { [SILENCED]?: true }
  if (marked[SILENCED]) return
  marked[SILENCED] = true
  for (const method of METHODS) {
    const original = target[method].bind(target) as (...words: unknown[]) => void
    target[method] = (...words: unknown[]) => {
      if (!isCalledByLibsignal()) original(...words)
    }
  }
}

function isCalledByLibsignal(): boolean {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 12
  const stack = new Error().stack ?? ''
  Error.stackTraceLimit = limit
  return /[\\/]libsignal[\\/]/.test(stack)
}
