// Keeps errors of stanzas inside their connection. The library's listeners are async functions without a catch: a frame that one of them
// cannot read would become an unhandled rejection, which ends the process and with it all other sessions.
import type { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { monotonicClock } from '../../kernel/async/clock.ts'
import { type Listener, replaceListeners } from './replace-listeners.ts'

interface Containment {
  log: { debug(message: string): void }
  /** Ends the connection. */
  end(error: Error): void
}

const RECEIVED = 'message'
/** The library's events of a stanza. */
const STANZA = /^CB:/
/** The cipher's complaint about a frame that was not encrypted with the keys of this connection. */
const NOT_AUTHENTIC = /unable to authenticate data/
const NOTHING = Buffer.alloc(0)
/** A burst of frames lets other work run after this long. */
const SLICE_MS = 20

/** Wraps the listeners that are registered by now. Returns a function that wraps a later one. */
export function containErrors(
  socket: EventEmitter,
  { log, end }: Containment,
): <T>(listener: (stanza: T) => unknown) => (stanza: T) => void {
  const note = (error: unknown) => log.debug(`driver: a stanza could not be processed: ${String(error)}`)
  replaceListeners(socket, RECEIVED, (listener) => inTurn((data) => receive(listener, data, { note, end })))
  for (const event of socket.eventNames())
    if (typeof event === 'string' && STANZA.test(event)) replaceListeners(socket, event, contain)
  return contain

  function contain<T>(listener: (stanza: T) => unknown): (stanza: T) => void {
    return (stanza) => void attempt(listener, stanza).catch(note)
  }
}

/**
 * Hands over one chunk at a time. The library decodes compressed frames on another thread: it would pass on the frames behind such a
 * frame before it, and copy all bytes that are not decoded yet with each chunk. The first chunk is handed over at once.
 */
function inTurn(receiveChunk: (data: unknown) => Promise<void>): Listener {
  let chunks: unknown[] = []
  let isBusy = false
  async function handOver(): Promise<void> {
    isBusy = true
    let sliceBegan = monotonicClock()
    while (chunks.length > 0) {
      const batch = chunks
      chunks = []
      for (const chunk of batch) {
        await receiveChunk(chunk)
        if (monotonicClock() - sliceBegan < SLICE_MS) continue
        await setImmediate()
        sliceBegan = monotonicClock()
      }
    }
    isBusy = false
  }
  return (data) => {
    chunks.push(data)
    if (!isBusy) void handOver()
  }
}

/** A frame that cannot be decoded is skipped, and the frames behind it are read. After a forged one no frame can be decrypted. */
async function receive(
  listener: Listener,
  data: unknown,
  { note, end }: { note: (error: unknown) => void; end: Containment['end'] },
): Promise<void> {
  for (let chunk = data; ; chunk = NOTHING) {
    try {
      await attempt(listener, chunk)
      return
    } catch (error) {
      if (NOT_AUTHENTIC.test(String(error))) {
        end(error as Error)
        return
      }
      note(error)
    }
  }
}

/** The call itself is synchronous, so that frames keep their order; errors of both kinds reject. */
async function attempt<T>(listener: (argument: T) => unknown, argument: T): Promise<void> {
  await listener(argument)
}
