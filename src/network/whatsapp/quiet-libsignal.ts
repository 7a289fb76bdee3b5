// Silences libsignal, which prints whole sessions with private keys to the console.

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const
const SILENCED = Symbol.for('switchboard.libsignal-silenced')

/** Drops console output of libsignal and passes all other output on. Patches the console once per process. */
export function silenceLibsignal(target: Console = console): void {
  const marked = target as Console & { [SILENCED]?: true }
  if (marked[SILENCED]) return
  marked[SILENCED] = true
  for (const method of METHODS) {
    const original = target[method].bind(target) as (...values: unknown[]) => void
    target[method] = (...values: unknown[]) => {
      if (!isCalledByLibsignal()) original(...values)
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
