/** Keeps the console silent: the Signal library prints whole sessions, private keys included, through it. */

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const

/** Silences every console method; our own lines go through `log.ts`. Returns the way back. */
export function quietConsole(): () => void {
  const before = METHODS.map((method) => [method, console[method]] as const)
  for (const method of METHODS) console[method] = () => {}
  return () => {
    for (const [method, original] of before) console[method] = original
  }
}
