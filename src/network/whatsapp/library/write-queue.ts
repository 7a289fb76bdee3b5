// The writes of one connection, one at a time: those that are requested while one is running are merged into the next one.
import { coalesce } from '../../../async/coalesce.ts'
import type { Arrival, Credentials, KeyChange } from '../../network.ts'

interface Waiting {
  /** Of several changes of one key, the last. */
  keys: Map<string, KeyChange>
  arrivals: Arrival[]
}

const nothing = (): Waiting => ({ keys: new Map(), arrivals: [] })

/**
 * A ratchet step builds on the ones before it, and the message that it decrypted is stored with it. If a write failed and a later
 * one succeeded, the keys of the lost message would count as used, and a repeated delivery could not be decrypted. So after a
 * failure all later writes fail too, and the next connection starts from what is stored.
 *
 * Merging also saves work: of the many states of a ratchet in a burst, only the last is encrypted and written.
 */
export function serialized(credentials: Credentials): Credentials {
  let waiting = nothing()
  let failure: { error: unknown } | undefined

  const writeWaiting = coalesce(async () => {
    if (failure) throw failure.error
    const { keys, arrivals } = waiting
    waiting = nothing()
    try {
      await credentials.write([...keys.values()], arrivals)
    } catch (error) {
      failure = { error }
      throw error
    }
  })

  return {
    ...credentials,
    async write(keys, arrivals) {
      if (failure) throw failure.error
      for (const key of keys) waiting.keys.set(`${key.kind} ${key.name}`, key)
      waiting.arrivals.push(...arrivals)
      return writeWaiting()
    },
  }
}
