// Imported for its effect: long timers that the network library leaves behind do not keep the test process alive.

/** It leaves 30 s after each upload of keys, and 60 s for each query that was under way when a socket ended. */
const LONG_MS = 20_000
const plainSetTimeout = globalThis.setTimeout
globalThis.setTimeout = Object.assign((...args: Parameters<typeof plainSetTimeout>) => {
  const timer = plainSetTimeout(...args)
  return (args[1] ?? 0) >= LONG_MS ? timer.unref() : timer
}, plainSetTimeout)
