// Holds back what leaves for the network until what it relies on is on disk.

interface OutgoingSocket {
  send(data: unknown, done?: (error?: Error) => void): void
}

export interface WriteBarrier {
  /** Frames sent from now on wait for this. A failed write closes the way: nothing more leaves. */
  hold(write: Promise<unknown>): void
  /** A write has failed: nothing more leaves. */
  fail(error: unknown): void
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
    fail,
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
      socket.send = (data, done) => {
        if (failed) done?.(new Error('a write that this frame relies on has failed'))
        else if (pending === 0) send(data, done)
        else void settled.then(() => (failed ? done?.(new Error('a write has failed')) : send(data, done)))
      }
    },
  }
}
