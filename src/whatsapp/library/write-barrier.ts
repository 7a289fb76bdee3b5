// Holds back outgoing frames until the writes that they depend on are on disk.
import { createStallWatch, type StallWatchParts } from '../../kernel/async/stall-watch.ts'
import type { Arrival, Credentials, KeyChange } from '../../network/network.ts'

/**
 * After this time a call of the store that has not ended makes the barrier fail. It is longer than the store's own limits for a statement
 * and for a short outage together. Without it, a call that they do not end would leave a connection that is open and acknowledges nothing.
 */
const STALLED_MS = 60_000

export interface OutgoingSocket {
  send(data: unknown, done?: (error?: Error) => void): void
  close(): void
}

/** Credentials behind the barrier. */
export interface HeldCredentials extends Credentials {
  /** Writes what only frames depend on: the caller goes on, and frames sent from now on wait for the write. */
  writeBehind(keys: KeyChange[], arrivals: Arrival[]): Promise<void>
  /** Frames sent from now on wait for this write as well. */
  hold(write: Promise<unknown>): void
  /** Resolves when the frames that are waiting now are sent; rejects if the barrier has failed. */
  framesFlushed(): Promise<void>
}

export interface WriteBarrier {
  /** Wraps the credentials: a failing call makes the barrier fail too. */
  watch(credentials: Credentials): HeldCredentials
  /** Frames sent from now on wait for this write. If it fails, the barrier fails. */
  hold(write: Promise<unknown>): void
  /** Puts the barrier between the library and its socket. */
  guard(socket: OutgoingSocket): void
}

/**
 * The library acknowledges a message or a receipt right after it has emitted the event, without waiting for the handler, and it
 * sends a message before the keys that encrypted it are stored. After a crash in between, the network would believe that the
 * gateway has something that it has lost. So the barrier stands between the library and the socket.
 *
 * It is in one of three states.
 *
 * - clear: no write is running and no frame is waiting. A frame is sent at once.
 * - holding: writes are running. A frame waits for all writes that started before it, and for the frames before it, because
 *   frames are numbered by their encryption and must keep their order. The barrier reports the frame to the library as sent at once: it
 *   can then encrypt the next message, and both writes can share a commit. When the last waiting frame is sent, it is clear.
 * - failed: a write has failed or has not ended in time, or the gate is shut. Waiting frames are dropped and new ones are refused,
 *   onFailure() closes the connection, and there is no way back: the next connection has a barrier of its own. Nothing is lost, because
 *   nothing was acknowledged.
 */
export function createWriteBarrier(
  onFailure: (error: unknown) => void,
  /** Whether this process may send frames; one that was suspended may not. */
  isGateOpen: () => boolean = () => true,
  time: Pick<StallWatchParts, 'clock' | 'timers'> = {},
): WriteBarrier {
  const { fail, failWith, hasFailed, mayStillSend } = createFailure(onFailure, isGateOpen)
  const noteStarted = createStallWatch({
    ...time,
    limitMs: STALLED_MS,
    onStall: () => fail(new Error(STALLED)),
  })
  let pending = 0
  let settled: Promise<void> = Promise.resolve()
  let waitingFrames = 0
  let flushed: Promise<void> = Promise.resolve()

  function hold(write: Promise<unknown>): void {
    pending += 1
    noteStarted(write)
    const previous = settled
    settled = Promise.allSettled([previous, write]).then(([, outcome]) => {
      pending -= 1
      if (outcome.status === 'rejected') fail(outcome.reason)
    })
  }

  return {
    watch: (credentials) => ({
      ...watchCalls(credentials, noteStarted, failWith),
      writeBehind(keys, arrivals) {
        const write = credentials.write(keys, arrivals)
        hold(write)
        return write
      },
      hold,
      async framesFlushed() {
        await flushed
        if (hasFailed()) throw new Error(FAILED)
      },
    }),
    hold,
    guard(socket) {
      const send = socket.send.bind(socket)
      const close = socket.close.bind(socket)
      socket.send = (data, done) => {
        if (!mayStillSend()) return done?.(new Error(FAILED))
        if (pending === 0 && waitingFrames === 0) return send(data, done)
        waitingFrames += 1
        const before = settled
        flushed = flushed
          .then(() => before)
          .then(() => {
            waitingFrames -= 1
            if (mayStillSend()) send(data, ignore)
          })
        done?.()
      }
      // Frames that still wait, such as a log-out, are sent before the socket is closed. After a failure none will be sent.
      socket.close = () => void (waitingFrames === 0 || hasFailed() ? close() : flushed.then(close))
    },
  }
}

/** If a failure did not close the connection, the library would treat the message as unreadable and acknowledge it. */
function watchCalls(
  credentials: Credentials,
  noteStarted: (call: Promise<unknown>) => void,
  failWith: (error: unknown) => never,
): Credentials {
  const watched = <T>(call: Promise<T>): Promise<T> => {
    noteStarted(call)
    return call.catch(failWith)
  }
  return {
    read: (kind, names) => watched(credentials.read(kind, names)),
    findArrival: (name) => watched(credentials.findArrival(name)),
    write: (keys, arrivals) => watched(credentials.write(keys, arrivals)),
  }
}

/** The end of a barrier: there is no way back. */
function createFailure(onFailure: (error: unknown) => void, isGateOpen: () => boolean) {
  let failed = false
  function fail(error: unknown): void {
    if (failed) return
    failed = true
    onFailure(error)
  }
  return {
    fail,
    failWith(error: unknown): never {
      fail(error)
      throw error
    },
    hasFailed: (): boolean => failed,
    mayStillSend(): boolean {
      if (!failed && !isGateOpen()) fail(new Error(SHUT))
      return !failed
    },
  }
}

const SHUT = 'this process does not hold the lease'
const STALLED = `a call of the store has not ended within ${STALLED_MS / 1000} s`
const FAILED = 'a write that this frame depends on has failed'

/** Without a callback, a closed socket would throw. */
const ignore = (): void => undefined
