// A server process with a short lease: the shortest that users can set would make each takeover last a quarter of a minute. Its
// clock can be wrong, as that of another machine, and the test can set it over the IPC channel.
import { machineClocks } from '../../src/kernel/async/clock.ts'
import { endWithError, serve } from '../../src/serve.ts'

const HOUR_MS = 3_600_000
/** How the test sets the clock while the server runs. */
export interface ClockOrder {
  setClockByMs: number
}

let wrongByMs = Number(process.env.WRONG_CLOCK_MS ?? 0)
globalThis.Date = wrongDate(Date)
process.on('message', ({ setClockByMs }: ClockOrder) => {
  wrongByMs += setClockByMs
})
// The channel alone must not keep the process alive.
process.channel?.unref()
const keepAliveMs = Number(process.env.SHORT_KEEP_ALIVE_MS ?? 0)
await serve(process.env, {
  leaseSeconds: Number(process.env.SHORT_LEASE_SECONDS ?? 8),
  ...(keepAliveMs > 0 && { times: { keepAliveMs } }),
  // A machine that runs tests may have started a moment ago, and would adopt the new time at once.
  machine: { ...machineClocks, uptime: () => machineClocks.uptime() + HOUR_MS },
}).catch(endWithError)

/** `Date.now()` and `new Date()` are wrong by the same time: a program that compares the two must not notice it. */
function wrongDate(real: DateConstructor): DateConstructor {
  const now = () => real.now() + wrongByMs
  return new Proxy(real, {
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  })
}
