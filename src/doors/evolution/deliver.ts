// Deliveries in the form of the dialect: the event, its envelope, and the headers of the request.
import { createHmac } from 'node:crypto'
import type { Deps } from '../../context.ts'
import type { EventData, EventName } from '../../contract/events.ts'
import type { StateReason } from '../../contract/instances.ts'
import { NO_WALLS } from '../../contract/wall-values.ts'
import { shownQr } from '../../instances/instances.ts'
import { createSemaphore } from '../../kernel/async/locks.ts'
import { iso } from '../../kernel/time.ts'
import { readReceivedMedia } from '../../messages/received-media.ts'
import { isGroupJid } from '../../network/jid.ts'
import type { EventToFormat, FormatEvent } from '../../webhooks/delivery-format.ts'
import { pathOfEvent, subscriptionOf } from './event-names.ts'
import { bytesOf } from './file-bytes.ts'
import { ownJid } from './message-content.ts'
import { evolutionMessage, fromEvent, STATUSES } from './message-shape.ts'
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

// Events in the form of the dialect: one pure function per event of this API.

/** What an event does not say itself. */
export interface EventFacts {
  /** The name of the instance in the dialect. */
  instance: string
  instanceId: number
  ownJid: string
  /** Of the message that the event is about. */
  direction: string | null
  /** The login code that is shown now; null: none. Events of this API do not contain it. */
  qr: { code: string; base64: string } | null
  /** The file of a received message; null: not wanted or not available. */
  fileBase64: string | null
}

interface EvolutionEvent {
  /** The first one that the webhook subscribes to is used. */
  names: readonly string[]
  data: unknown
}

type ToEvolution<N extends EventName> = (data: EventData<N>, facts: EventFacts) => EvolutionEvent | null

/** Changes have events of their own. */
const REPORTED_ELSEWHERE: ReadonlySet<string> = new Set(['edit', 'delete'])
/** Of a message that was accepted here. One that was written on the phone is already sent. */
const ACCEPTED: ReadonlySet<string> = new Set(['queued', 'scheduled', 'awaiting_approval'])

const messagesUpsert: ToEvolution<'messages.upsert'> = (data, { instanceId, fileBase64 }) => {
  if (REPORTED_ELSEWHERE.has(data.type)) return null
  const shown = evolutionMessage(fromEvent(data), instanceId)
  const message = fileBase64 === null ? shown.message : { ...shown.message, base64: fileBase64 }
  const isSentHere = data.direction === 'outgoing' && ACCEPTED.has(data.status ?? '')
  return { names: [isSentHere ? 'send.message' : 'messages.upsert'], data: { ...shown, message } }
}

const messagesUpdate: ToEvolution<'messages.update'> = (data, { instanceId, ownJid, direction }) => {
  const fromMe = direction !== 'incoming'
  return {
    names: ['messages.update'],
    data: {
      messageId: data.messageId,
      keyId: data.messageId,
      remoteJid: data.chat,
      fromMe,
      participant: fromMe && isGroupJid(data.chat) ? ownJid : data.chat,
      status: STATUSES[data.status],
      instanceId: String(instanceId),
    },
  }
}

type Change = EventData<'messages.edited'> | EventData<'messages.deleted'>
const changedKey = ({ chat, target }: Change) => ({
  id: target.messageId,
  remoteJid: chat,
  fromMe: target.direction === 'outgoing',
  ...(isGroupJid(chat) && target.author !== null && { participant: target.author }),
})

const messagesEdited: ToEvolution<'messages.edited'> = (data, { instanceId }) => ({
  names: ['messages.edited'],
  data: {
    key: changedKey(data),
    editedMessage: { conversation: data.text ?? '' },
    messageTimestamp: seconds(data.at),
    instanceId: String(instanceId),
  },
})

const messagesDeleted: ToEvolution<'messages.deleted'> = (data, { instanceId }) => ({
  names: ['messages.delete'],
  data: { ...changedKey(data), status: 'DELETED', instanceId: String(instanceId) },
})

/** The codes with which the network ends a connection, where a reason has one. */
const REASON_CODES: Partial<Record<StateReason, number>> = {
  logged_out: 401,
  restricted: 403,
  temporarily_banned: 403,
  client_outdated: 405,
  qr_expired: 428,
  network_lost: 428,
  replaced: 440,
  bad_session: 500,
}
const OPEN_CODE = 200

const connectionUpdate: ToEvolution<'connection.update'> = (data, { instance, ownJid }) => ({
  names: ['connection.update'],
  data: {
    instance,
    // At the end of the last login code.
    state: data.stateReason === 'qr_expired' ? 'refused' : data.state,
    statusReason: (data.stateReason && REASON_CODES[data.stateReason]) ?? OPEN_CODE,
    ...(data.state === 'open' && { wuid: ownJid, profileName: null, profilePictureUrl: null }),
  },
})

const qrcodeUpdated: ToEvolution<'qrcode.updated'> = ({ pairingCode }, { instance, qr }) => ({
  names: ['qrcode.updated'],
  data: { qrcode: { instance, pairingCode, code: qr?.code ?? null, base64: qr?.base64 ?? null } },
})

const contactsUpdate: ToEvolution<'contacts.update'> = ({ person, name }, { instanceId }) => ({
  names: ['contacts.update', 'contacts.upsert'],
  data: [
    {
      remoteJid: person.jid,
      pushName: name ?? person.pushName,
      profilePicUrl: null,
      instanceId: String(instanceId),
    },
  ],
})

const chatsUpdate: ToEvolution<'chats.update'> = ({ chat, name, unreadCount }, { instanceId }) => ({
  names: ['chats.update', 'chats.upsert'],
  data: [{ remoteJid: chat, name, unreadMessages: unreadCount, instanceId: String(instanceId) }],
})

const labelsUpdate: ToEvolution<'labels.update'> = ({ labelId: id, ...label }, { instance }) => ({
  names: ['labels.edit'],
  data: { id, ...label, predefinedId: null, instance },
})

const labelsAssociation: ToEvolution<'labels.association'> = ({ chat, labelId, labeled }, { instance }) => ({
  names: ['labels.association'],
  data: { instance, type: labeled ? 'add' : 'remove', chatId: chat, labelId },
})

const groupsUpsert: ToEvolution<'groups.upsert'> = (data) => ({
  names: ['groups.upsert'],
  data: [
    {
      id: data.groupJid,
      subject: data.subject,
      desc: data.description,
      owner: data.ownerJid,
      creation: data.createdAt === null ? null : seconds(data.createdAt),
      size: data.size,
      announce: data.announce,
      restrict: data.locked,
      joinApprovalMode: data.joinApproval,
      memberAddMode: data.memberAdd === 'all',
      ephemeralDuration: data.disappearingSeconds,
    },
  ],
})

const groupsUpdate: ToEvolution<'groups.update'> = ({ groupJid, author, changes }) => ({
  names: ['group.update'],
  data: [
    {
      id: groupJid,
      ...(author && { author: author.jid }),
      ...(changes.subject !== undefined && { subject: changes.subject }),
      ...(changes.description !== undefined && { desc: changes.description }),
      ...(changes.announce !== undefined && { announce: changes.announce }),
      ...(changes.locked !== undefined && { restrict: changes.locked }),
      ...(changes.joinApproval !== undefined && { joinApprovalMode: changes.joinApproval }),
      ...(changes.memberAdd !== undefined && { memberAddMode: changes.memberAdd === 'all' }),
      ...(changes.disappearingSeconds !== undefined && { ephemeralDuration: changes.disappearingSeconds }),
    },
  ],
})

const groupParticipantsUpdate: ToEvolution<'group-participants.update'> = (data) => ({
  names: ['group-participants.update'],
  data: {
    id: data.groupJid,
    author: data.author?.jid ?? '',
    participants: data.people.map(({ jid }) => jid),
    action: data.action,
  },
})

const PRESENCES = {
  available: 'available',
  unavailable: 'unavailable',
  typing: 'composing',
  recording: 'recording',
} as const

const presenceUpdate: ToEvolution<'presence.update'> = ({ chat, person, presence, lastSeen }) => ({
  names: ['presence.update'],
  data: {
    id: chat,
    presences: {
      [person.jid]: {
        lastKnownPresence: PRESENCES[presence],
        ...(lastSeen !== null && { lastSeen: seconds(lastSeen) }),
      },
    },
  },
})

const CALL_STATUSES = {
  offer: 'offer',
  ringing: 'ringing',
  accepted: 'accept',
  rejected: 'reject',
  missed: 'timeout',
  ended: 'terminate',
} as const

const call: ToEvolution<'call'> = (data) => ({
  names: ['call'],
  data: {
    id: data.callId,
    chatId: data.groupJid ?? data.from.jid,
    from: data.from.jid,
    date: data.at,
    status: CALL_STATUSES[data.status],
    isVideo: data.isVideo ?? false,
    isGroup: data.isGroup ?? false,
    offline: false,
  },
})

const EVENTS: { readonly [N in EventName]: ToEvolution<N> } = {
  'messages.upsert': messagesUpsert,
  'messages.update': messagesUpdate,
  'messages.edited': messagesEdited,
  'messages.deleted': messagesDeleted,
  // Reported as a message as well.
  'messages.reaction': () => null,
  'messages.set_aside': () => null,
  'contacts.update': contactsUpdate,
  'contacts.merged': ({ mergedChat }) => ({ names: ['chats.delete'], data: [mergedChat] }),
  'chats.update': chatsUpdate,
  'labels.update': labelsUpdate,
  'labels.association': labelsAssociation,
  'qrcode.updated': qrcodeUpdated,
  'passkey.updated': () => null,
  'connection.update': connectionUpdate,
  'groups.upsert': groupsUpsert,
  'groups.update': groupsUpdate,
  'group-participants.update': groupParticipantsUpdate,
  call,
  'presence.update': presenceUpdate,
}

export const toEvolutionEvent = <N extends EventName>(
  name: N,
  data: EventData<N>,
  facts: EventFacts,
): EvolutionEvent | null => EVENTS[name](data, facts)

const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000)
