// A connection of the library as the folders beside this one see it: calls, events and stanzas, and nothing of its inside.
import {
  type AnyMediaMessageContent,
  type BaileysEventMap,
  type BinaryNode,
  type Contact,
  isLidUser,
  jidDecode,
  jidEncode,
  type LIDMapping,
  prepareWAMessageMedia,
  type SignalKeyStore,
  type SignalRepositoryWithLIDStore,
  type WASocket,
} from 'baileys'
import { SENDER_KEYS, senderKeyName } from '../../network/group-ciphers.ts'
import type { AppStateChanges } from './app-state-changes.ts'
import type { AuthState } from './auth-state.ts'
import { GIVEN_KEYS } from './given-keys.ts'
import type { InnerSocket } from './inner-socket.ts'
import type { PairingSocket } from './pairing-socket.ts'
import type { RetryRequests } from './retry-requests.ts'
import type { TokenNotes } from './token-notes.ts'

/** The library's calls that are passed on unchanged. To use another one, add its name. */
export const CALLS = [
  // Linking and the connection.
  'fetchAccountReachoutTimelock',
  'logout',
  'end',
  'query',
  'sendNode',
  // Messages and files.
  'relayMessage',
  'readMessages',
  'sendReceipts',
  'createCallLink',
  'refreshMediaConn',
  'rejectCall',
  // Chats.
  'fetchMessageHistory',
  'sendPresenceUpdate',
  // Groups.
  'groupMetadata',
  'groupFetchAllParticipating',
  'groupCreate',
  'groupLeave',
  'groupUpdateSubject',
  'groupUpdateDescription',
  'groupToggleEphemeral',
  'groupJoinApprovalMode',
  'groupMemberAddMode',
  'groupSettingUpdate',
  'groupParticipantsUpdate',
  'groupRequestParticipantsList',
  'groupRequestParticipantsUpdate',
  'groupInviteCode',
  'groupRevokeInvite',
  'groupGetInviteInfo',
  'groupAcceptInvite',
  // People and the profile.
  'onWhatsApp',
  'profilePictureUrl',
  'removeProfilePicture',
  'fetchStatus',
  'fetchBlocklist',
  'updateBlockStatus',
  'getBusinessProfile',
  'presenceSubscribe',
  'fetchPrivacySettings',
  'fetchDisappearingDuration',
  'updateDefaultDisappearingMode',
  'updateProfileStatus',
  'updateLastSeenPrivacy',
  'updateOnlinePrivacy',
  'updateProfilePicturePrivacy',
  'updateStatusPrivacy',
  'updateReadReceiptsPrivacy',
  'updateGroupsAddPrivacy',
  'updateCallPrivacy',
  'updateMessagesPrivacy',
] as const satisfies (keyof WASocket)[]

type Calls = Pick<WASocket, (typeof CALLS)[number]>

/** The events that are passed on. */
export type LibraryEvents = Pick<
  BaileysEventMap,
  | 'connection.update'
  | 'contacts.upsert'
  | 'contacts.update'
  | 'lid-mapping.update'
  | 'groups.upsert'
  | 'groups.update'
  | 'group-participants.update'
  | 'presence.update'
  | 'settings.update'
  | 'call'
>

type StanzaListener = (stanza: BinaryNode) => void

/** Errors of stanza listeners are logged, and the listeners behind them still run. */
export interface LibrarySocket extends Calls {
  /** The account of this login. Undefined before a phone has linked the device or was asked for a pairing code. */
  readonly me: Contact | undefined
  /** Whether the login is complete, so that it is stored. */
  readonly isLinked: boolean
  onEvent<E extends keyof LibraryEvents>(event: E, listener: (value: LibraryEvents[E]) => void): void
  /**
   * After the library's own listeners. The name is a tag, which may be narrowed by an attribute or by the tag of the first child:
   * `receipt`, `ack,class:message`, `ib,,dirty`.
   */
  onStanza(name: string, listener: StanzaListener): void
  /** Before all listeners there are, the library's included: its answers then wait for the writes that this one starts. */
  onStanzaFirst(name: string, listener: StanzaListener): void
  /** The connection is closed, by either end. */
  onClosed(listener: () => void): void
  /** The other identifier of a person. The library asks the network for the hidden id of a number that it does not know. */
  otherNameOf(jid: string): Promise<string | null>
  /**
   * As `otherNameOf`, from the stored identifiers only. For work that frames wait for: a question to the network would wait for that
   * work itself, and the session would never send again.
   */
  knownNamesOf(jids: readonly string[]): Promise<Map<string, string>>
  storeNames(pairs: LIDMapping[]): Promise<void>
  /** Changes the owner's account. Rejects if the network refuses the change. */
  changeAppState: AppStateChanges['change']
  uploadMedia(content: AnyMediaMessageContent): ReturnType<typeof prepareWAMessageMedia>
  /** Changes the name of the account itself. */
  setName(name: string): Promise<void>
  /** Runs when the library has handled the receipts that have arrived. */
  afterReceipts(work: () => Promise<unknown>): Promise<void>
  giveKeyAgain: OwnGroupKeys['giveKeyAgain']
  bindKeyTo: OwnGroupKeys['bindKeyTo']
  /** The network has accepted a message to this chat. */
  noteAccepted: TokenNotes['noteGiven']
  /** For a device that is being linked. */
  pairing: PairingSocket
  requestAgain: RetryRequests['requestAgain']
  requestFromPhone: RetryRequests['requestFromPhone']
}

export interface LibrarySocketParts {
  socket: WASocket
  inner: Pick<InnerSocket, 'once'>
  auth: AuthState
  appState: AppStateChanges
  tokens: TokenNotes
  pairing: PairingSocket
  retries: RetryRequests
  /** Keeps the errors of a listener inside the connection. */
  contain(listener: StanzaListener): StanzaListener
}

export function createLibrarySocket(parts: LibrarySocketParts): LibrarySocket {
  const { socket, inner, auth, appState, tokens, pairing, retries, contain } = parts
  const { lidMapping } = socket.signalRepository
  return {
    ...callsOf(socket),
    get me() {
      return auth.creds.me
    },
    get isLinked() {
      return auth.creds.account !== undefined
    },
    onEvent: (event, listener) => socket.ev.on(event, listener),
    onStanza: (name, listener) => void socket.ws.on(`CB:${name}`, contain(listener)),
    onStanzaFirst: (name, listener) => void socket.ws.prependListener(`CB:${name}`, contain(listener)),
    onClosed: (listener) => inner.once('close', listener),
    otherNameOf: otherNameOf(lidMapping),
    knownNamesOf: knownNamesOf(auth.keys),
    storeNames: (pairs) => lidMapping.storeLIDPNMappings(pairs),
    changeAppState: appState.change,
    uploadMedia: (content) => prepareWAMessageMedia(content, { upload: socket.waUploadToServer }),
    async setName(name) {
      await appState.change({ pushNameSetting: name }, '')
      const { me } = auth.creds
      // The library takes over the name only from another device. With the event it is also announced (steady-presence.ts).
      if (me) socket.ev.emit('creds.update', { me: { ...me, name } })
    },
    afterReceipts: async (work) => void (await socket.receiptMutex.mutex(work)),
    ...createOwnGroupKeys(auth, socket.signalRepository.jidToSignalProtocolAddress),
    noteAccepted: tokens.noteGiven,
    pairing,
    ...retries,
  }
}

const callsOf = (socket: WASocket): Calls =>
  Object.fromEntries(CALLS.map((name) => [name, socket[name]])) as unknown as Calls

// The key with which the account encrypts its messages to a group, and the record of the members who have it.

interface OwnGroupKeys {
  /** The next message to this group gives every member the key again. */
  giveKeyAgain(group: string): Promise<void>
  /**
   * Must be called before a message to the group. The library has a key for each address of the account, the lid and the number, but
   * one record of the members who have the key. When the network describes a group differently, the library would
   * encrypt with a key that no member has.
   */
  bindKeyTo(group: string, addressing: 'lid' | 'pn'): Promise<void>
}

export function createOwnGroupKeys(
  { creds, keys }: AuthState,
  addressOf: (jid: string) => string,
): OwnGroupKeys {
  return {
    giveKeyAgain: async (group) => keys.set({ [GIVEN_KEYS]: { [group]: null } }),
    async bindKeyTo(group, addressing) {
      const { id, lid } = creds.me ?? {}
      if (!id || !lid) return
      const [used, unused] = (addressing === 'lid' ? [lid, id] : [id, lid]).map((jid) =>
        senderKeyName(group, addressOf(jid)),
      ) as [string, string]
      const { [unused]: outdated } = await keys.get(SENDER_KEYS, [unused])
      if (!outdated) return
      // The key of the other address goes too: it would be used again after the next change.
      const change = { [GIVEN_KEYS]: { [group]: null }, [SENDER_KEYS]: { [unused]: null, [used]: null } }
      await keys.set(change)
    },
  }
}

// The other identifier of a person: the hidden one (lid) of a phone number, or the number of a hidden one.

type OtherName = (jid: string) => Promise<string | null>

const otherNameOf =
  (lidMapping: Pick<SignalRepositoryWithLIDStore['lidMapping'], 'getPNForLID' | 'getLIDForPN'>): OtherName =>
  (jid) =>
    isLidUser(jid) ? lidMapping.getPNForLID(jid) : lidMapping.getLIDForPN(jid)

/** In one read of the store, however many there are. People whose other identifier is not known are missing. */
const knownNamesOf =
  (keys: Pick<SignalKeyStore, 'get'>) =>
  async (jids: readonly string[]): Promise<Map<string, string>> => {
    const names = new Map(
      jids.flatMap((jid) => (mappingName(jid) ? [[jid, mappingName(jid)]] : [])) as [string, string][],
    )
    if (names.size === 0) return new Map()
    const others = await keys.get('lid-mapping', [...new Set(names.values())])
    return new Map(
      [...names].flatMap(([jid, name]) => {
        const other = others[name]
        return other ? [[jid, jidEncode(other, isLidUser(jid) ? 's.whatsapp.net' : 'lid')] as const] : []
      }),
    )
  }

/** Under which the library stores the other identifier. */
function mappingName(jid: string): string | undefined {
  const user = jidDecode(jid)?.user
  return user && (isLidUser(jid) ? `${user}_reverse` : user)
}
