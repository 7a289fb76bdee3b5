// A server process with a short lease: the shortest that users can set would make each takeover last a quarter of a minute. Its
// clock can be wrong, as that of another machine.
import { serve } from '../../src/serve.ts'

const wrongByMs = Number(process.env.WRONG_CLOCK_MS ?? 0)
if (wrongByMs !== 0) globalThis.Date = wrongDate(Date, wrongByMs)
await serve(process.env, { leaseSeconds: Number(process.env.SHORT_LEASE_SECONDS ?? 8) })

/** `Date.now()` and `new Date()` are wrong by the same time: a program that compares the two must not notice it. */
function wrongDate(real: DateConstructor, byMs: number): DateConstructor {
  const now = () => real.now() + byMs
  return new Proxy(real, {
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  })
}
