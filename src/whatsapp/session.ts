// One connection to the network: the library's socket, on the port's credentials, reporting the port's events.
import { wallClock } from '../kernel/async/clock.ts'
import { type ProxyAddress, parseProxy } from '../kernel/outbound/proxy-address.ts'
import {
  type ConnectOptions,
  type MessageToSend,
  NetworkError,
  type NetworkEvent,
  type NetworkSession,
  type SendResult,
} from '../network/network.ts'
import { type ChatDriver, createChatDriver } from './chats/chat-driver.ts'
import { plainJid } from './from-network/people.ts'
import { storableReport } from './from-network/wire-values.ts'
import { createGroupCalls, type GroupCallParts } from './groups/group-calls.ts'
import { ownPerson } from './groups/group-notices.ts'
import { createGroupReader, type GroupReader } from './groups/group-reader.ts'
import { createInvitations, type Invitations } from './groups/invitations.ts'
import type { LibrarySocket } from './library/library-socket.ts'
import { loadLibrary } from './library/open-library.ts'
import type { VersionedSettings } from './library/open-socket.ts'
import { areJidsSameUser, isJidGroup, jidNormalizedUser } from './library/protocol.ts'
import { throughProxy } from './library/proxied.ts'
import { builtInVersion } from './library/versions.ts'
import { withTimeout } from './library/with-timeout.ts'
import type { HeldCredentials } from './library/write-barrier.ts'
import { createLinking, type Linking } from './linking/linking.ts'
import { createRestrictionLookup } from './linking/restriction.ts'
import { withRenewal } from './linking/version.ts'
import { createLookups } from './people/lookups.ts'
import { createPeopleCalls } from './people/people-calls.ts'
import { createPictureNotices, type PictureNotices } from './people/picture-notices.ts'
import { createProfileCalls } from './people/profile-calls.ts'
import { createArrivalKeeper, encodeArrival } from './receiving/arrivals.ts'
import { createInterpreter } from './receiving/interpret.ts'
import { reportEvents } from './receiving/report-events.ts'
import { acknowledgeStatus } from './receiving/status-stanzas.ts'
import { createUnreadable, keyOf, type Unreadable } from './receiving/unreadable.ts'
import { createAcks } from './sending/acks.ts'
import { decodePayload } from './sending/payload.ts'
import { preparePayload } from './sending/prepare.ts'
import { createResender, type Resender } from './sending/resend.ts'
import type { WhatsAppSettings } from './settings.ts'

const ANSWER_MS = 20_000
const ACK_MS = 30_000
const UPLOAD_MS = 5 * 60_000
/** Stanzas that may say something about a group. */
const GROUP_STANZAS = ['notification', 'message', 'receipt', 'ack', 'ib']

export async function connectSession(
  settings: WhatsAppSettings,
  given: ConnectOptions,
): Promise<NetworkSession> {
  const version = settings.versions?.current() ?? builtInVersion()
  const options = withRenewal(settings.versions, version, {
    ...given,
    // Names and texts of strangers. An arrival is cleaned when it is interpreted.
    onEvent: (event) => given.onEvent(event.kind === 'arrived' ? event : storableReport(event)),
  })
  if (!options.proxy) return openSession({ ...settings, version }, options)
  const proxied = throughProxy(settings, storedProxy(options.proxy))
  const onEvent = (event: NetworkEvent): Promise<void> => {
    if (event.kind === 'closed') proxied.close()
    return options.onEvent(event)
  }
  try {
    return await openSession({ ...settings, ...proxied, version }, { ...options, onEvent })
  } catch (error) {
    proxied.close()
    throw error
  }
}

async function openSession(settings: VersionedSettings, options: ConnectOptions): Promise<NetworkSession> {
  const { clock = wallClock } = settings
  const { credentials, open } = await loadLibrary(settings, options)
  const acks = createAcks()
  const keeper = openKeeper({ settings, options, credentials, clock, socket: () => socket })
  await keeper.unreadable.load()
  const groups = createGroupReader(() => socket, { report: options.onEvent, hold: credentials.hold })
  const pictures = createPictureNotices((jid) => isOwn(socket, jid), clock)
  const invitations = createInvitations((message) => session.send(message), options.findSent)
  const resender = createResender(invitations, () => socket, groups)
  const chats = createChatDriver(() => socket, credentials, options, clock)
  const socket = open({
    keepArrival: keeper.keep,
    getMessage: resender.getMessage,
    cachedGroupMetadata: groups.forSending,
    onSyncAction: chats.onSyncAction,
    onGivenUp: keeper.givenUp,
  })
  socket.onClosed(chats.onClosed)
  workWhileOpen(socket, keeper.unreadable)
  acknowledgeStatus(socket)
  listenFirst(socket, { keeper, resender, groups })
  socket.onStanza('ack,class:message', acks.settle)
  const linking = createLinking({
    socket,
    report: (event) => void options.onEvent(event),
    settings,
    deviceName: options.deviceName,
    clock,
  })
  reportEvents({
    socket,
    options,
    settings,
    credentials,
    groups,
    pictures,
    linking,
    clock,
    onClosed: acks.fail,
  })
  const reportRestriction = (restrictedUntil: number | null) =>
    void options.onEvent({ kind: 'restriction', restrictedUntil })
  const restriction = createRestrictionLookup(socket, reportRestriction, clock)
  const session = createSession({
    settings,
    options,
    socket,
    acks,
    credentials,
    restriction,
    groups,
    pictures,
    invitations,
    chats,
    linking,
    onResent: keeper.unreadable.arrived,
  })
  return session
}

interface KeeperParts extends Pick<SessionParts, 'settings' | 'options' | 'credentials'> {
  clock(): number
  socket(): LibrarySocket
}

function openKeeper({ settings, options, credentials, clock, socket }: KeeperParts) {
  return createArrivalKeeper({
    credentials,
    onArrived: (arrival) => options.onEvent({ kind: 'arrived', ...arrival }),
    guard: options.guard,
    isAddressed: (attrs) => keyOf(attrs, socket().me) !== undefined,
    isKnown: async (messageId) => (await options.findOriginals(messageId)).length > 0,
    unreadable: ({ track }) =>
      createUnreadable({
        socket,
        credentials,
        track,
        encode: (attrs, unreadable) => encodeArrival({ attrs, plain: Buffer.alloc(0), unreadable }),
        clock,
        log: settings.log,
        times: settings.times?.unreadable,
      }),
  })
}

/** Requests need a connection. */
function workWhileOpen(socket: LibrarySocket, unreadable: Unreadable): void {
  socket.onEvent('connection.update', ({ connection }) => {
    if (connection === 'open') unreadable.start()
  })
  socket.onClosed(unreadable.stop)
}

/** Before the library's own listeners, so that their answers wait for the writes of these. */
function listenFirst(socket: LibrarySocket, { keeper, resender, groups }: Listeners): void {
  socket.onStanzaFirst('message', keeper.noteStanza)
  socket.onStanzaFirst('receipt', resender.recordReceipt)
  for (const stanza of GROUP_STANZAS) socket.onStanzaFirst(stanza, groups.noteStanza)
}

interface Listeners {
  keeper: Pick<ReturnType<typeof createArrivalKeeper>, 'noteStanza'>
  resender: Pick<Resender, 'recordReceipt'>
  groups: Pick<GroupReader, 'noteStanza'>
}

const isOwn = ({ me }: Pick<LibrarySocket, 'me'>, jid: string): boolean =>
  [me?.id, me?.lid].some((own) => areJidsSameUser(own, jid))

/** It was checked before it was stored. */
function storedProxy(text: string): ProxyAddress {
  const proxy = parseProxy(text)
  if (proxy instanceof Error) throw new NetworkError('unavailable', 'the proxy of the instance is not valid')
  return proxy
}

interface SessionParts {
  settings: WhatsAppSettings
  options: ConnectOptions
  socket: LibrarySocket
  acks: ReturnType<typeof createAcks>
  credentials: HeldCredentials
  restriction: ReturnType<typeof createRestrictionLookup>
  groups: GroupReader
  pictures: PictureNotices
  invitations: Invitations
  chats: ChatDriver
  linking: Linking
  /** The phone has sent the content of a message. */
  onResent(messageId: string | null | undefined): void
}

function createSession(parts: SessionParts): NetworkSession {
  const { settings, options, socket, credentials, restriction, groups, linking } = parts
  return {
    ...createLookups(settings, socket),
    reportGroups: groups.reportAll,
    ...restriction,
    ...createGroupCalls(groupCallParts(parts)),
    ...parts.chats.calls(),
    ...createPeopleCalls(socket),
    ...createProfileCalls({ socket, report: options.onEvent }),
    async showOnline(isOnline) {
      const state = isOnline ? 'available' : 'unavailable'
      await withTimeout(socket.sendPresenceUpdate(state), ANSWER_MS, 'the presence')
    },
    async rejectCall(callId, creator) {
      await withTimeout(socket.rejectCall(callId, creator), ANSWER_MS, 'the call')
    },
    ...createInterpreter({ settings, socket, options, onResent: parts.onResent }),
    prepare: (chat, content, sources, stop) =>
      withTimeout(
        preparePayload(socket, chat, content, sources, stop, settings.clock),
        UPLOAD_MS,
        'the upload',
        stop,
      ),
    requestPairingCode: linking.requestPairingCode,
    answerPasskey: linking.answerPasskey,
    confirmPasskey: linking.confirmPasskey,
    send: (message) => sendMessage(parts, message),
    async markRead(messages, as = 'read') {
      const keys = messages.map(({ messageId, chat, participant }) => ({
        id: messageId,
        remoteJid: chat,
        fromMe: false,
        ...(participant === null ? {} : { participant }),
      }))
      // With receipts off, only the owner's devices are informed. For read receipts the library looks it up itself.
      const sent = as === 'read' ? socket.readMessages(keys) : sendPlayed(socket, keys)
      await withTimeout(sent, ANSWER_MS, 'the receipts')
    },
    async logOut() {
      // Waits for held frames: the credentials are destroyed after this, and the writes of those frames would fail.
      const loggedOut = socket.logout().then(() => credentials.framesFlushed())
      await withTimeout(loggedOut, ANSWER_MS, 'logging out').finally(() => void socket.end(undefined))
    },
    async close() {
      await parts.chats.endPresence(credentials.framesFlushed)
      await socket.end(undefined)
    },
  }
}

async function sendPlayed(
  socket: LibrarySocket,
  keys: Parameters<LibrarySocket['sendReceipts']>[0],
): Promise<void> {
  const { readreceipts } = await socket.fetchPrivacySettings()
  // The library does not name this type, and passes any on.
  const type = (readreceipts === 'all' ? 'played' : 'played-self') as Parameters<
    LibrarySocket['sendReceipts']
  >[1]
  await socket.sendReceipts(keys, type)
}

async function sendMessage(
  { socket, credentials, acks, groups }: SessionParts,
  { messageId, chat, payload, stored, isRepeated = false }: MessageToSend,
): Promise<SendResult> {
  // The payload is stored while the message is encrypted, so that both writes share a commit.
  credentials.hold(stored)
  if (isRepeated) groups.forget(chat)
  const { message, additionalNodes, attributes, audience } = decodePayload(payload)
  const answered = acks.expect(messageId)
  // Not awaited if sending itself fails: must not become an unhandled rejection.
  answered.catch(() => undefined)
  const relayed = prepareGroupKey({ socket, groups }, chat, isRepeated).then(() =>
    socket.relayMessage(chat, message, {
      messageId,
      additionalNodes,
      ...(attributes && { additionalAttributes: attributes }),
      // The phone of the account also shows the status.
      ...(audience && { statusJidList: [...audience, plainJid(socket.me?.id ?? '')] }),
      useUserDevicesCache: !isRepeated,
    }),
  )
  relayed.catch(() => undefined)
  // When the connection closes, the library keeps waiting for its own requests; `answered` then rejects.
  const sent = withTimeout(Promise.race([relayed, answered]), ACK_MS, 'the message')
  const result = await sent
    .then(() => withTimeout(answered, ACK_MS, 'the message'))
    .finally(() => acks.forget(messageId))
  if (result.accepted) socket.noteAccepted(chat)
  return checkMembership(groups, chat, result)
}

async function prepareGroupKey(
  { socket, groups }: Pick<SessionParts, 'socket' | 'groups'>,
  chat: string,
  isRepeated: boolean,
): Promise<void> {
  if (!isJidGroup(chat)) return
  // The frame with the key was written to a connection that was lost, perhaps before the network had it.
  if (isRepeated) await socket.giveKeyAgain(chat)
  const { addressingMode } = await groups.forSending(chat)
  await socket.bindKeyTo(chat, addressingMode ?? 'lid')
}

function groupCallParts({ socket, groups, invitations, pictures, options }: SessionParts): GroupCallParts {
  return {
    socket,
    groups,
    invitations,
    ownNames: () => [socket.me?.id, socket.me?.lid].filter((jid) => jid !== undefined).map(jidNormalizedUser),
    pictures,
    reportPicture: (jid, change) =>
      options.onEvent({ kind: 'picture', jid, change, author: ownPerson(socket.me) }),
  }
}

const FORBIDDEN = 403

/** A group forbids a message either because only admins may write, or because the account was removed a moment ago. */
async function checkMembership(
  groups: Pick<GroupReader, 'read'>,
  chat: string,
  result: SendResult,
): Promise<SendResult> {
  if (result.accepted || result.code !== FORBIDDEN || !isJidGroup(chat)) return result
  try {
    await withTimeout(groups.read(chat), ANSWER_MS, 'the group')
    return result
  } catch (error) {
    const isMember = !(error instanceof NetworkError && error.kind === 'not_a_group_member')
    return isMember ? result : { ...result, refusal: 'not_a_group_member' }
  }
}
