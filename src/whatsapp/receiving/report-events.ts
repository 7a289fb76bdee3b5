// Converts the library's events and stanzas into events of the port.

import type { CallStatus } from '../../contract/calls.ts'
import { isStorableId } from '../../network/arrival-names.ts'
import type { NetworkCall } from '../../network/calls.ts'
import type { ConnectOptions, NetworkEvent, OwnAccount } from '../../network/network.ts'
import { toGroupNotice } from '../groups/group-notices.ts'
import type { GroupReader } from '../groups/group-reader.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import {
  type GroupMetadata,
  isJidGroup,
  jidDecode,
  jidNormalizedUser,
  type WACallEvent,
  type WACallUpdateType,
} from '../library/protocol.ts'
import { proxyFailure } from '../library/proxied.ts'
import type { HeldCredentials } from '../library/write-barrier.ts'
import { banEnd, type CloseError, closeCause } from '../linking/close-cause.ts'
import type { Linking } from '../linking/linking.ts'
import { toKnownPerson } from '../people/identifiers.ts'
import { createNameNews } from '../people/name-news.ts'
import type { PictureNotices } from '../people/picture-notices.ts'
import { reportPresence } from '../people/presence.ts'
import type { WhatsAppSettings } from '../settings.ts'
import { toReceipt, withAllNames } from './receipts.ts'

export interface Reported {
  socket: LibrarySocket
  options: Pick<ConnectOptions, 'onEvent'>
  credentials: Pick<HeldCredentials, 'hold'>
  groups: GroupReader
  pictures: Pick<PictureNotices, 'read'>
  linking: Pick<Linking, 'closed'>
  settings: Pick<WhatsAppSettings, 'onClose'>
  clock: () => number
  onClosed(): void
}

export function reportEvents(reported: Reported): void {
  const { socket, options, credentials, groups, pictures, onClosed } = reported
  /** Frames wait until the handler of the event has written. */
  const report = (event: NetworkEvent) => credentials.hold(options.onEvent(event))

  reportConnection(socket, reported, (event) => {
    if (event.kind === 'closed') onClosed()
    void options.onEvent(event)
  })
  socket.onStanzaFirst('receipt', (stanza) => {
    const receipt = toReceipt(stanza, socket.me, reported.clock)
    // The library's answer waits for the lookup of identifiers too.
    if (receipt) credentials.hold(withAllNames(receipt, socket.knownNamesOf).then(options.onEvent))
  })
  reportPeople(socket, report)
  reportPictures(socket, pictures, report)
  reportGroups(socket, groups)
  reportPresence(socket, options.onEvent, reported.clock)
  socket.onEvent('settings.update', (update) => {
    if (update.setting === 'disableLinkPreviews')
      report({ kind: 'link_previews', isOn: update.value.isPreviewsDisabled !== true })
  })
  socket.onEvent('call', (calls) => {
    for (const call of calls.flatMap((each) => toNetworkCall(each) ?? [])) report({ kind: 'call', ...call })
  })
}

function reportConnection(
  socket: LibrarySocket,
  { settings: { onClose }, linking, clock }: Pick<Reported, 'settings' | 'linking' | 'clock'>,
  report: (event: NetworkEvent) => void,
): void {
  socket.onEvent('connection.update', ({ connection, lastDisconnect }) => {
    if (connection === 'open') report({ kind: 'opened', account: ownAccount(socket) })
    if (connection === 'close') {
      const error = lastDisconnect?.error as (CloseError & { data?: unknown }) | undefined
      if (error) onClose?.(error.output?.statusCode ?? null)
      const proxy = proxyFailure(error)
      const other = error ? closeCause(error, !socket.isLinked) : 'ended'
      const cause = proxy ? (`proxy_${proxy}` as const) : other
      const until = cause === 'temporarily_banned' ? banEnd(error?.data, clock()) : null
      report({ kind: 'closed', ...linking.closed(cause), until })
    }
  })
}

function ownAccount({ me }: Pick<LibrarySocket, 'me'>): OwnAccount {
  return {
    number: jidDecode(me?.id)?.user ?? '',
    lid: jidDecode(me?.lid)?.user ?? null,
    name: me?.name && me.name !== '~' ? me.name : null,
  }
}

function reportPeople(socket: LibrarySocket, report: (event: NetworkEvent) => void): void {
  const people = (list: Parameters<typeof toKnownPerson>[0][]) => {
    const known = list.flatMap((contact) => toKnownPerson(contact) ?? [])
    if (known.length > 0) report({ kind: 'people', people: known })
  }
  const isNews = createNameNews()
  socket.onEvent('contacts.upsert', people)
  socket.onEvent('contacts.update', (list) => people(list.filter(isNews)))
  socket.onEvent('lid-mapping.update', ({ lid, pn }) => people([{ id: pn, lid }]))
}

/** Before the library answers, so that the answer waits until the change is stored. */
function reportPictures(
  socket: LibrarySocket,
  pictures: Pick<PictureNotices, 'read'>,
  report: (event: NetworkEvent) => void,
): void {
  socket.onStanzaFirst('notification', (stanza) => {
    const notice = pictures.read(stanza)
    if (notice) report(notice)
  })
}

function reportGroups(socket: LibrarySocket, reader: GroupReader): void {
  /** Change events are partial: the whole group is read, so that the stored one is never incomplete. */
  const refresh = (jid: string | undefined) => {
    // A failed request says nothing about the group; the next change reads it again.
    if (jid) void reader.read(jid).catch(() => undefined)
  }
  socket.onEvent('groups.upsert', (groups) => void reader.reportJoined(groups).catch(() => undefined))
  socket.onEvent('groups.update', (groups) => {
    const listed = groups.filter(isWhole)
    if (listed.length > 0) void reader.reportListed(listed).catch(() => undefined)
    for (const group of groups) if (!isWhole(group)) refresh(group.id)
  })
  socket.onEvent('group-participants.update', ({ id }) => refresh(id))
  // The library has no event of the group for this setting.
  socket.onStanza('notification', (stanza) => {
    const notice = toGroupNotice(stanza)
    if (notice?.what === 'disappearingSeconds') refresh(notice.jid)
  })
}

/** The library emits whole groups under the same event when it has listed all of them. */
const isWhole = (group: Partial<GroupMetadata>): group is GroupMetadata => group.participants !== undefined

// Converts a phone call from the library's form to the port's.

/** The others are steps of setting up the line. */
const STATUSES: Partial<Record<WACallUpdateType, CallStatus>> = {
  offer: 'offer',
  ringing: 'ringing',
  preaccept: 'ringing',
  accept: 'accepted',
  reject: 'rejected',
  timeout: 'missed',
  terminate: 'ended',
}

/** Undefined: the step is not reported, or the caller is unknown. */
export function toNetworkCall(call: WACallEvent): NetworkCall | undefined {
  const status = STATUSES[call.status]
  // Only in a call of one person the chat is the caller.
  const creator = call.from ?? (isJidGroup(call.chatId) ? undefined : call.chatId)
  const from =
    creator && toKnownPerson({ id: creator, ...(call.callerPn ? { phoneNumber: call.callerPn } : {}) })
  if (!status || !creator || !from || !call.id || !isStorableId(call.id)) return undefined
  return {
    id: call.id,
    from,
    creator: jidNormalizedUser(creator),
    status,
    atMs: call.date.getTime(),
    isVideo: call.isVideo ?? null,
    isGroup: call.isGroup ?? null,
    groupJid: call.groupJid ?? null,
  }
}
