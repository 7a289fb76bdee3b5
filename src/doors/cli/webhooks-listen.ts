// `webhooks listen`: reads the event log and posts each event to a program of the user, signed as a delivery is. It needs no public URL.
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, ClientError, UNREACHABLE } from '../../contract/client.ts'
import { EVENT_ID, EVENT_NAMES, type Event, type EventName, LOG_END } from '../../contract/events.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { wallClock } from '../../kernel/async/clock.ts'
import { deliveryHeaders } from '../../webhooks/post-event.ts'
import { command, SERVER_OPTIONS } from './command.ts'
import { escapeControls } from './print.ts'
import { UsageError } from './usage-error.ts'

const POLL_MS = 1000
/** As long as a receiver of a webhook has. */
const ANSWER_MS = 15_000
const PAUSES_MS = [1000, 2000, 5000, 10_000, 30_000]
const PAGE = '100'
/** Deliveries of webhooks have the id of their webhook here. */
const NO_WEBHOOK = 0

export const webhooksListen = command({
  name: 'webhooks listen',
  summary: 'Post new events to a program on your machine, without a public URL',
  description: `Reads the event log, and posts each event to URL in order, with the body and the signatures of a webhook delivery. An
event that URL does not accept with a 2xx status is posted again until it does. Ctrl-C ends it. With --cursor nothing is lost
while it does not run: it goes on after the last accepted event. Without it, it begins with new events.`,
  parameters: ['URL'],
  options: {
    ...SERVER_OPTIONS,
    instance: { type: 'string', value: 'API_NAME', help: 'Only events of this instance' },
    event: {
      type: 'string',
      value: 'NAME',
      help: 'Only this event; can be given several times',
      multiple: true,
    },
    cursor: { type: 'string', value: 'FILE', help: 'Remembers the last accepted event in this file' },
    'secret-file': {
      type: 'string',
      value: 'FILE',
      help: 'File with the signing secret; default: a new one, which is printed',
    },
  },
  async run(context, values, [given]) {
    const { instance: instanceName, event: names, cursor: file } = values
    const stop = stopSignal()
    const secretFile = values['secret-file']
    const secret = secretFile === undefined ? newSecret() : (await context.read(secretFile)).trim()
    if (secretFile === undefined) note(`The secret of the signatures is ${secret}`)
    const filter = omitUndefined({ instanceName, events: names?.map(requireName).join(',') })
    const log = { client: await context.account(), filter, stop }
    const target: Target = { url: requireUrl(given), secret, stop }
    let after = await startOf(log, file)
    note('Events are posted from now on. Ctrl-C ends this.')
    while (!stop.aborted) {
      const page = await readPage(log, after)
      for (const event of page?.events ?? []) {
        if (!(await deliver(target, event))) return undefined
        after = event.id
        await remember(file, after)
      }
      if (page?.next && page.next !== after) await remember(file, (after = page.next))
      if (!page?.hasMore) await pause(POLL_MS, undefined, { signal: stop }).catch(() => undefined)
    }
    return undefined
  },
})

interface Log {
  client: Client
  filter: { instanceName?: string; events?: string }
  stop: AbortSignal
}

interface Target {
  url: string
  secret: string
  stop: AbortSignal
}

function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  return stopping.signal
}

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

const note = (text: string): void => void process.stderr.write(`${text}\n`)

function requireName(text: string): EventName {
  const name = EVENT_NAMES.find((known) => known === text)
  if (name === undefined) throw new UsageError(`--event: expected one of ${EVENT_NAMES.join(', ')}`)
  return name
}

function requireUrl(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new UsageError('URL: expected an http or https URL')
}

/** The event to go on after; undefined: the log is empty. */
async function startOf({ client, filter }: Log, file: string | undefined): Promise<string | undefined> {
  const stored = file === undefined ? undefined : await readCursor(file)
  if (stored !== undefined) return stored
  const { next } = await client.listEvents({ query: { ...filter, before: LOG_END, limit: '1' } })
  // At once: an event that comes before the first accepted one is not lost either.
  if (next !== null) await remember(file, next)
  return next ?? undefined
}

async function readCursor(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`--cursor: ${file} cannot be read (${error.code})`, error)
  })
  if (text !== undefined && !EVENT_ID.test(text.trim()))
    throw new UsageError(`--cursor: ${file} does not contain the id of an event`)
  return text?.trim()
}

/** Replaces the file, so that a crash leaves the old or the new one. */
async function remember(file: string | undefined, id: string): Promise<void> {
  if (file === undefined) return
  const path = resolve(file)
  await writeFile(`${path}.new`, `${id}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** Undefined: the command is stopping. A gateway that cannot answer now is asked again; a refusal ends the command. */
async function readPage({ client, filter, stop }: Log, after: string | undefined) {
  for (let round = 0; !stop.aborted; round += 1) {
    try {
      return await client.listEvents({ query: { ...filter, ...omitUndefined({ after }), limit: PAGE } })
    } catch (error) {
      if (!(error instanceof ClientError) || !isTemporary(error)) throw error
      note(`The gateway does not answer (${error.reason}): next try in ${pauseOf(round) / 1000} s`)
      await pause(pauseOf(round), undefined, { signal: stop }).catch(() => undefined)
    }
  }
  return undefined
}

const isTemporary = ({ status, reason }: ClientError): boolean =>
  reason === UNREACHABLE || status === 429 || status >= 500

const pauseOf = (round: number): number => PAUSES_MS[Math.min(round, PAUSES_MS.length - 1)] as number

/** False: the command is stopping, and the event was not accepted. */
async function deliver({ url, secret, stop }: Target, event: Event): Promise<boolean> {
  const body = JSON.stringify(event)
  for (let round = 0; !stop.aborted; round += 1) {
    const timestamp = Math.floor(wallClock() / 1000)
    const signed = { id: event.id, event: event.event, webhookId: NO_WEBHOOK, timestamp, body }
    const headers = deliveryHeaders(signed, { current: secret, previous: null })
    const outcome = await post(url, { headers, body, stop })
    const isAccepted = typeof outcome === 'number' && outcome >= 200 && outcome < 300
    if (!stop.aborted || isAccepted)
      process.stdout.write(`${event.id} ${event.event} ${escapeControls(String(outcome))}\n`)
    if (isAccepted) return true
    await pause(pauseOf(round), undefined, { signal: stop }).catch(() => undefined)
  }
  return false
}

/** The status, or why there is none. */
async function post(
  url: string,
  { headers, body, stop }: { headers: Record<string, string>; body: string; stop: AbortSignal },
): Promise<number | string> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)])
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    return cause?.code ?? name
  }
}
