// The writes of one connection, one at a time: those that are requested while one is running are merged into the next one.
import type { Arrival, Credentials, KeyChange } from '../../network.ts'

interface Waiting {
  /** Of several changes of one key, the last. */
  keys: Map<string, KeyChange>
  arrivals: Arrival[]
  written: PromiseWithResolvers<void>
}

/**
 * A ratchet step builds on the ones before it, and the message that it decrypted is stored with it. If a write failed and a later
 * one succeeded, the keys of the lost message would count as used, and a repeated delivery could not be decrypted. So after a
 * failure all later writes fail too, and the next connection starts from what is stored.
 *
 * Merging also saves work: of the many states of a ratchet in a burst, only the last is encrypted and written.
 */
export function inOrder(credentials: Credentials): Credentials {
  let next: Waiting | undefined
  let isRunning = false
  let failure: { error: unknown } | undefined

  async function run(): Promise<void> {
    isRunning = true
    while (next) {
      const { keys, arrivals, written } = next
      next = undefined
      await credentials.write([...keys.values()], arrivals).then(written.resolve, (error: unknown) => {
        failure = { error }
        written.reject(error)
        next?.written.reject(error)
        next = undefined
      })
    }
    isRunning = false
  }

  return {
    ...credentials,
    async write(keys, arrivals) {
      if (failure) throw failure.error
      next ??= { keys: new Map(), arrivals: [], written: Promise.withResolvers() }
      for (const key of keys) next.keys.set(`${key.kind} ${key.name}`, key)
      next.arrivals.push(...arrivals)
      const { written } = next
      if (!isRunning) void run()
      return written.promise
    },
  }
}
