// Keeps the network library's long timers from holding the test process: it leaves them behind, 8 s for each message it could
// not read, 30 s after each upload of keys, 60 s for each query that was under way when a socket ended.
const LONG_MS = 5000
const plainSetTimeout = globalThis.setTimeout

globalThis.setTimeout = Object.assign((...args: Parameters<typeof plainSetTimeout>) => {
  const timer = plainSetTimeout(...args)
  return (args[1] ?? 0) >= LONG_MS ? timer.unref() : timer
}, plainSetTimeout)
