// Holds back what leaves for the network until what it relies on is on disk.
import type { Credentials } from '../network.ts'

interface OutgoingSocket {
  send(data: unknown, done?: (error?: Error) => void): void
}

export interface WriteBarrier {
  /** The same credentials; a write of theirs that fails closes the way too. */
  watch(credentials: Credentials): Credentials
  /** Frames sent from now on wait for this. A failed write closes the way: nothing more leaves. */
  hold(write: Promise<unknown>): void
  /** Puts the barrier in front of a socket. */
  guard(socket: OutgoingSocket): void
}

/**
 * The library acknowledges a receipt and answers a pairing right after it has emitted an event about it, without waiting for
 * anybody. A crash in between would leave the network believing what we do not know.
 */
export function createWriteBarrier(onFailure: (error: unknown) => void): WriteBarrier {
  let pending = 0
  let failed = false
  let settled: Promise<void> = Promise.resolve()

  function fail(error: unknown): void {
    if (failed) return
    failed = true
    onFailure(error)
  }

  return {
    watch: (credentials) => ({
      read: credentials.read,
      // Not told of it, the library would take the message for unreadable, ask for it again and acknowledge this one.
      findArrival: async (name) =>
        credentials.findArrival(name).catch((error: unknown) => {
          fail(error)
          throw error
        }),
      write: async (keys, arrivals) =>
        credentials.write(keys, arrivals).catch((error: unknown) => {
          fail(error)
          throw error
        }),
    }),
    hold(write) {
      pending += 1
      const previous = settled
      settled = Promise.allSettled([previous, write]).then(([, outcome]) => {
        pending -= 1
        if (outcome.status === 'rejected') fail(outcome.reason)
      })
    },
    guard(socket) {
      const send = socket.send.bind(socket)
      let waitingFrames = 0
      let way: Promise<void> = Promise.resolve()
      socket.send = (data, done) => {
        const leave = () => {
          if (failed) done?.(new Error('a write that this frame relies on has failed'))
          else send(data, done)
        }
        // Frames are numbered by their encryption: none may overtake another.
        if (failed || (pending === 0 && waitingFrames === 0)) return leave()
        waitingFrames += 1
        const before = settled
        way = way
          .then(() => before)
          .then(() => {
            waitingFrames -= 1
            leave()
          })
      }
    },
  }
}
