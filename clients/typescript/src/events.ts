// The event log as an iterator that reconnects and misses nothing.
import { SwitchboardError } from './error.ts'
import type { Operations } from './generated/operations.ts'
import type { Event, EventName } from './generated/types.ts'
import { backoff, sleep } from './retry.ts'
import type { CallOptions, ClientSettings } from './settings.ts'

export interface FollowInput {
  instanceName?: string
  /** Only these events; default: all. */
  events?: readonly EventName[]
  /** The id of the last event that was processed, or `start` for the whole log. Default: only events from now on. */
  after?: string
}

/** The gateway writes to an idle stream every 15 seconds: after this silence the connection is dead. */
const SILENCE_SECONDS = 45
/** How often an empty log is read. It has no event yet after which a stream could start. */
const EMPTY_LOG_SECONDS = 1

/** Ends when the signal is aborted. Store the id of each event once it is processed, and pass it as `after` at the next start. */
export async function* follow(
  calls: Operations,
  settings: ClientSettings,
  input: FollowInput,
  { signal }: CallOptions,
): AsyncGenerator<Event> {
  const { instanceName, events } = input
  const filter = { instanceName, events: events?.join(',') }
  const pause = settings.sleep ?? sleep
  const newest = async () => (await calls.listEvents({ before: 'end', limit: 1 }, { signal })).next
  // Null: the start of the log. Undefined: not known yet.
  let cursor: string | null | undefined = input.after === 'start' ? null : input.after
  const isStopped = () => signal?.aborted === true
  for (let failures = 0; !isStopped(); ) {
    try {
      if (cursor === undefined) cursor = await newest()
      if (cursor === null) {
        const page: Awaited<ReturnType<Operations['listEvents']>> = await calls.listEvents(filter, { signal })
        yield* page.events
        cursor = page.next
        if (cursor === null) await pause(EMPTY_LOG_SECONDS, signal)
      } else {
        for await (const event of readStream(calls, { ...filter, after: cursor }, signal)) {
          failures = 0
          cursor = event.id
          yield event
        }
        // The gateway ends streams when it stops.
        await pause(backoff(0), signal)
      }
    } catch (error) {
      if (isStopped()) return
      if (!isTemporary(error)) throw error
      await pause(backoff(failures), signal).catch(() => undefined)
      failures += 1
    }
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof SwitchboardError && (error.status === 0 || error.status === 429 || error.status >= 500)

async function* readStream(
  calls: Operations,
  input: Parameters<Operations['streamEvents']>[0],
  signal: AbortSignal | undefined,
): AsyncGenerator<Event> {
  const silence = new AbortController()
  const stop = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal])
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_SECONDS * 1000)
  }
  const reader = (await calls.streamEvents(input, { signal: stop })).getReader()
  try {
    listen()
    for await (const data of dataOf(reader, listen)) yield JSON.parse(data) as Event
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new SwitchboardError('The event stream was closed.', { status: 0, reason: 'unreachable' }, cause)
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(() => undefined)
  }
}

/** The data of server-sent events. The gateway writes each event as one line of data; comments keep the connection alive. */
export async function* dataOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onChunk: () => void = () => undefined,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    onChunk()
    const lines = (rest + decoder.decode(chunk.value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length)
  }
}
