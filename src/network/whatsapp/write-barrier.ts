// Holds back what leaves for the network until what it relies on is on disk.
import type { Credentials, KeyChange } from '../network.ts'

interface OutgoingSocket {
  send(data: unknown, done?: (error?: Error) => void): void
  close(): void
}

/** Credentials behind the barrier. */
export interface HeldCredentials extends Credentials {
  /** Keys that nothing but frames relies on: nobody waits for the write but the frames that are sent from now on. */
  writeBehind(keys: KeyChange[]): Promise<void>
  /** Resolves when the frames that wait now have left; rejects where they never will. */
  framesLeft(): Promise<void>
}

export interface WriteBarrier {
  /** The same credentials; a call of theirs that fails closes the way too. */
  watch(credentials: Credentials): HeldCredentials
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
  let waitingFrames = 0
  let way: Promise<void> = Promise.resolve()

  function fail(error: unknown): void {
    if (failed) return
    failed = true
    onFailure(error)
  }

  const failWith = (error: unknown): never => {
    fail(error)
    throw error
  }

  function hold(write: Promise<unknown>): void {
    pending += 1
    const previous = settled
    settled = Promise.allSettled([previous, write]).then(([, outcome]) => {
      pending -= 1
      if (outcome.status === 'rejected') fail(outcome.reason)
    })
  }

  return {
    // Not told of it, the library would take the message for unreadable, ask for it again and acknowledge this one.
    watch: (credentials) => ({
      read: (kind, names) => credentials.read(kind, names).catch(failWith),
      findArrival: (name) => credentials.findArrival(name).catch(failWith),
      write: (keys, arrivals) => credentials.write(keys, arrivals).catch(failWith),
      writeBehind(keys) {
        const write = credentials.write(keys, [])
        hold(write)
        return write
      },
      async framesLeft() {
        await way
        if (failed) throw new Error(CLOSED)
      },
    }),
    hold,
    guard(socket) {
      const send = socket.send.bind(socket)
      const close = socket.close.bind(socket)
      socket.send = (data, done) => {
        if (failed) return done?.(new Error(CLOSED))
        // Frames are numbered by their encryption: none may overtake another.
        if (pending === 0 && waitingFrames === 0) return send(data, done)
        waitingFrames += 1
        const before = settled
        way = way
          .then(() => before)
          .then(() => {
            waitingFrames -= 1
            if (!failed) send(data, ignore)
          })
        // The library encrypts the next message when this one is off its hands, and the commit of both can be one. What
        // became of a message is the network's word, never the socket's.
        done?.()
      }
      // The last word, such as a log-out, is off the library's hands and may still stand here.
      socket.close = () => void (waitingFrames === 0 ? close() : way.then(close))
    },
  }
}

const CLOSED = 'a write that this relies on has failed'

/** A socket without a listener throws what one with a listener is told: that it is closed. */
const ignore = (): void => undefined
