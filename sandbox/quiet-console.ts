// Silences the console, to which the Signal library prints whole sessions with their private keys.

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const

/** Silences every console method and returns a function that undoes it. The sandbox itself logs through `model/log.ts`. */
export function quietConsole(): () => void {
  const before = METHODS.map((method) => [method, console[method]] as const)
  for (const method of METHODS) console[method] = () => {}
  return () => {
    for (const [method, original] of before) console[method] = original
  }
}
