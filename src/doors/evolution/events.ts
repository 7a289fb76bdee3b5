// Events in the form of the dialect: one pure function per event of this API.
import type { EventData, EventName } from '../../contract/events.ts'
import type { StateReason } from '../../contract/instances.ts'
import { isGroupJid } from '../../network/jid.ts'
import { evolutionMessage, fromEvent, STATUSES } from './message-shape.ts'

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

export interface EvolutionEvent {
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
