// Ends requests of the library that the network does not answer. The library waits for each answer without a limit (open-socket.ts),
// and it sends messages and requests to repeat one under one lock: a single lost answer would silence an instance that looks online.
import type { BinaryNode } from 'baileys'
import { realTimers, type Timers } from '../../../async/timers.ts'

/** A request that is still open at this many checks is answered here. */
const CHECKS = 3
const INTERVAL_MS = 20_000
/** The library's event of the answer to one request. */
const ANSWER = 'TAG:'
const TIMED_OUT = '408'

export interface QuerySocket {
  eventNames(): (string | symbol)[]
  emit(event: string, answer: BinaryNode): unknown
}

/** The WebSocket itself: the library removes listeners for the end of its own socket before that ends. */
interface ClosingSocket {
  once(event: 'close', listener: () => void): unknown
}

/** Checks at intervals instead of with a timer for each request: requests are part of every send, and nearly all are answered. */
export function endUnansweredQueries(
  socket: QuerySocket,
  inner: ClosingSocket,
  log: { debug(message: string): void },
  timers: Timers = realTimers,
): void {
  let open = new Map<string, number>()
  const timer = timers.setInterval(() => {
    const names = socket.eventNames().filter((name) => typeof name === 'string' && name.startsWith(ANSWER))
    open = new Map((names as string[]).map((name) => [name, (open.get(name) ?? 0) + 1]))
    for (const [name, checks] of open) {
      if (checks < CHECKS) continue
      log.debug('driver: the network did not answer a request')
      socket.emit(name, noAnswer(name.slice(ANSWER.length)))
    }
  }, INTERVAL_MS)
  timer.unref()
  inner.once('close', () => timers.clearInterval(timer))
}

/** An answer that the library takes for a refusal. */
const noAnswer = (id: string): BinaryNode => ({
  tag: 'iq',
  attrs: { id, type: 'error' },
  content: [{ tag: 'error', attrs: { code: TIMED_OUT, text: 'the network did not answer' } }],
})
