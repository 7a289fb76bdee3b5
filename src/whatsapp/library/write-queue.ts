// The writes of one connection, one at a time: those that are requested while one is running are merged into the next one.
import type { Arrival, Credentials, KeyChange } from '../../network/network.ts'

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
 * Merging also saves work: of the many states of a ratchet in a burst, only the last is encrypted and written. The writes of one turn
 * are merged too: a message is encrypted for the recipient and for the owner's phone in the same turn, and both steps are one commit.
 */
export function serialized(credentials: Credentials): Credentials {
  let waiting = nothing()
  let failure: { error: unknown } | undefined
  /** Writes everything that waits when it begins. Undefined: the next request needs another one. */
  let next: Promise<void> | undefined
  /** The one before it has ended, in any way. */
  let ended: Promise<unknown> = Promise.resolve()

  async function writeWaiting(previous: Promise<unknown>): Promise<void> {
    await previous
    await endOfTurn()
    next = undefined
    if (failure) throw failure.error
    const { keys, arrivals } = waiting
    waiting = nothing()
    try {
      await credentials.write([...keys.values()], arrivals)
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  function start(): Promise<void> {
    const writing = writeWaiting(ended)
    ended = writing.catch(() => undefined)
    return writing
  }

  return {
    ...credentials,
    async write(keys, arrivals) {
      if (failure) throw failure.error
      for (const key of keys) waiting.keys.set(`${key.kind} ${key.name}`, key)
      waiting.arrivals.push(...arrivals)
      next ??= start()
      return next
    },
  }
}

/** By then, all work that waits for nothing outside of this thread is done. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
