// Deliveries in the form of the dialect: the event, its envelope, and the headers of the request.

import { createHmac } from 'node:crypto'
import type { Deps } from '../../context.ts'
import type { EventData, EventName } from '../../contract/events.ts'
import { NO_WALLS } from '../../contract/wall-values.ts'
import { shownQr } from '../../instances/instances.ts'
import { createSemaphore } from '../../kernel/async/semaphore.ts'
import { iso } from '../../kernel/time.ts'
import { readReceivedMedia } from '../../messages/received-media.ts'
import type { EventToFormat, FormatEvent } from '../../webhooks/delivery-format.ts'
import { pathOfEvent, subscriptionOf } from './event-names.ts'
import { type EventFacts, toEvolutionEvent } from './events.ts'
import { bytesOf } from './file-bytes.ts'
import { ownJid } from './message-content.ts'
import { qrAsUrl } from './qr.ts'
import type { WebhookOptions } from './webhook-options.ts'

export interface FormatParts extends Pick<Deps, 'store' | 'sessions' | 'files'> {
  drawQr(code: string): Promise<Uint8Array>
  publicUrl: string | undefined
  /** The best known time: receivers check the expiry of a token. */
  forSignatures(): number
}

/** Files in memory at the same time: each may have 16 MB, and a third more in base64. */
const FILES_AT_ONCE = 2
export const MAX_FILE_BYTES = 16 * 1024 * 1024
const TOKEN_SECONDS = 600

export function createEvolutionFormat(parts: FormatParts): FormatEvent {
  const acquireFile = createSemaphore(FILES_AT_ONCE)
  return async (event, webhook) => {
    const options = webhook.options as WebhookOptions
    const data = JSON.parse(event.data) as EventData<EventName>
    const release = mayHaveFile(event, data, options) ? await acquireFile() : () => undefined
    try {
      const facts = await factsOf(parts, event, data, options)
      const converted = toEvolutionEvent(event.name as EventName, data, facts)
      const name = converted?.names.find((each) => isWanted(options, each))
      if (!converted || name === undefined) return null
      const url = options.byEvents ? withPath(webhook.url, pathOfEvent(name)) : webhook.url
      return {
        url,
        body: JSON.stringify({
          event: name,
          instance: facts.instance,
          data: converted.data,
          destination: url,
          date_time: iso(event.created_at),
          sender: facts.ownJid,
          server_url: parts.publicUrl ?? '',
          // The dialect shows the key of the instance here. This gateway puts no key into a body.
          apikey: null,
        }),
        headers: headersOf(event, name, facts),
        secretHeaders: secretHeadersOf(options, parts.forSignatures()),
      }
    } finally {
      release()
    }
  }
}

const isWanted = ({ events }: WebhookOptions, name: string): boolean =>
  events === null || (events as string[]).includes(subscriptionOf(name))

/** Appended to the path: a query stays behind it. */
function withPath(url: string, path: string): string {
  const extended = new URL(url)
  extended.pathname = `${extended.pathname.replace(/\/+$/, '')}/${path}`
  return extended.href
}

const headersOf = (event: EventToFormat, name: string, { instance }: EventFacts): Record<string, string> => ({
  'X-Instance-ID': String(event.instance_id),
  // A header has no other characters than those of Latin-1.
  'X-Instance-Name': encodeURIComponent(instance),
  'X-Event-Type': name,
  'X-Timestamp': iso(event.created_at),
})

/** `jwt_key` is not sent: it signs a token, which takes the place of a configured `Authorization`. */
function secretHeadersOf({ headers }: WebhookOptions, now: number): Record<string, string> {
  const { jwt_key: key, ...others } = headers
  if (key === undefined) return others
  const kept = Object.entries(others).filter(([name]) => name.toLowerCase() !== 'authorization')
  return { ...Object.fromEntries(kept), Authorization: `Bearer ${signedToken(key, now)}` }
}

export function signedToken(key: string, now: number): string {
  const issuedAt = Math.floor(now / 1000)
  const payload = { iat: issuedAt, exp: issuedAt + TOKEN_SECONDS, app: 'evolution', action: 'webhook' }
  const unsigned = [{ alg: 'HS256', typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${unsigned}.${createHmac('sha256', key).update(unsigned).digest('base64url')}`
}

async function factsOf(
  parts: FormatParts,
  event: EventToFormat,
  data: EventData<EventName>,
  options: WebhookOptions,
): Promise<EventFacts> {
  return {
    instance: event.evolution_name ?? event.api_name,
    instanceId: event.instance_id,
    ownJid: ownJid(event.own_number),
    direction: event.direction,
    qr: event.name === 'qrcode.updated' ? await currentCode(parts, event) : null,
    fileBase64: mayHaveFile(event, data, options) ? await fileOf(parts, event, data as Upsert) : null,
  }
}

/** The code is a login secret: it is read when it is delivered, and is in no stored event (decision 0141). */
async function currentCode(parts: FormatParts, event: EventToFormat): Promise<EventFacts['qr']> {
  const shown = await shownQr(parts, event.account_id, event.api_name).catch(() => null)
  return shown && { code: shown.code, base64: await qrAsUrl(parts, shown.code) }
}

type Upsert = EventData<'messages.upsert'>

function mayHaveFile({ name }: EventToFormat, data: EventData<EventName>, options: WebhookOptions): boolean {
  if (!options.base64 || name !== 'messages.upsert') return false
  const { media } = data as Upsert
  return media?.downloadPath != null && (media.sizeBytes ?? 0) <= MAX_FILE_BYTES
}

/** A file that is not available does not delay the message. */
async function fileOf(
  parts: FormatParts,
  event: EventToFormat,
  { messageId }: Upsert,
): Promise<string | null> {
  const account = { account: { id: event.account_id }, scopes: [], walls: NO_WALLS }
  const name = { messageId, instanceName: event.api_name }
  try {
    const file = await readReceivedMedia(parts, account, name, () => undefined)
    return (await bytesOf(file.chunks, MAX_FILE_BYTES)).toString('base64')
  } catch {
    return null
  }
}
