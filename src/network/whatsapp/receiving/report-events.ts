// Converts the library's events and stanzas into events of the port.
import type { BaileysEventMap, WASocket } from 'baileys'
import type { ConnectOptions, NetworkEvent, OwnAccount } from '../../network.ts'
import { toGroupNotice } from '../groups/group-notices.ts'
import type { GroupReader } from '../groups/group-reader.ts'
import type { AuthState } from '../library/auth-state.ts'
import { type BinaryNode, type GroupMetadata, jidDecode } from '../library/protocol.ts'
import { proxyFailure } from '../library/proxied.ts'
import type { WriteBarrier } from '../library/write-barrier.ts'
import { banEnd, type CloseError, closeCause } from '../linking/close-cause.ts'
import { knownNameOf, toKnownPerson } from '../people/identifiers.ts'
import type { PictureNotices } from '../people/picture-notices.ts'
import { reportPresence } from '../people/presence.ts'
import type { WhatsAppSettings } from '../settings.ts'
import { toNetworkCall } from './calls.ts'
import { toReceipt, withAllNames } from './receipts.ts'

/** How long the library shows a QR code: the first one longer than the others. */
const FIRST_QR_MS = 60_000
const NEXT_QR_MS = 20_000

export interface Reported {
  socket: WASocket
  auth: AuthState
  options: Pick<ConnectOptions, 'onEvent'>
  barrier: WriteBarrier
  groups: GroupReader
  pictures: Pick<PictureNotices, 'read'>
  settings: Pick<WhatsAppSettings, 'times' | 'onClose'>
  clock: () => number
  onClosed(): void
}

export function reportEvents(reported: Reported): void {
  const { socket, auth, options, barrier, groups, pictures, onClosed } = reported
  /** Frames wait until the handler of the event has written. */
  const report = (event: NetworkEvent) => barrier.hold(options.onEvent(event))

  socket.ev.on('creds.update', () => {
    // Until pairing is complete there is no login: an incomplete one would be refused at the next connection.
    if (auth.creds.account) barrier.hold(auth.saveCreds())
  })
  reportConnection(socket, auth, reported, (event) => {
    if (event.kind === 'closed') onClosed()
    void options.onEvent(event)
  })
  socket.ws.prependListener('CB:receipt', (stanza: BinaryNode) => {
    const receipt = toReceipt(stanza, auth.creds.me, reported.clock)
    // The library's answer waits for the lookup of identifiers too.
    if (receipt) barrier.hold(withAllNames(receipt, knownNameOf(auth.keys)).then(options.onEvent))
  })
  reportPeople(socket, report)
  reportPictures(socket, pictures, report)
  reportGroups(socket, groups)
  reportPresence(socket, options.onEvent, reported.clock)
  socket.ev.on('settings.update', (update) => {
    if (update.setting === 'disableLinkPreviews')
      report({ kind: 'link_previews', isOn: update.value.isPreviewsDisabled !== true })
  })
  socket.ev.on('call', (calls) => {
    for (const call of calls.flatMap((each) => toNetworkCall(each) ?? [])) report({ kind: 'call', ...call })
  })
}

function reportConnection(
  socket: WASocket,
  auth: AuthState,
  { settings: { times, onClose }, clock }: Pick<Reported, 'settings' | 'clock'>,
  report: (event: NetworkEvent) => void,
): void {
  let shown = 0
  const isPairing = () => auth.creds.account === undefined
  socket.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
    if (qr) {
      shown += 1
      report({
        kind: 'qr',
        code: qr,
        expiresAt: clock() + (times?.codeMs ?? (shown === 1 ? FIRST_QR_MS : NEXT_QR_MS)),
      })
    }
    if (connection === 'open') report({ kind: 'opened', account: ownAccount(auth) })
    if (connection === 'close') {
      const error = lastDisconnect?.error as (CloseError & { data?: unknown }) | undefined
      if (error) onClose?.(error.output?.statusCode ?? null)
      const proxy = proxyFailure(error)
      const other = error ? closeCause(error, isPairing()) : 'ended'
      const cause = proxy ? (`proxy_${proxy}` as const) : other
      const until = cause === 'temporarily_banned' ? banEnd(error?.data, clock()) : null
      report({ kind: 'closed', cause, until })
    }
  })
}

function ownAccount(auth: AuthState): OwnAccount {
  const { me } = auth.creds
  return {
    number: jidDecode(me?.id)?.user ?? '',
    lid: jidDecode(me?.lid)?.user ?? null,
    name: me?.name && me.name !== '~' ? me.name : null,
  }
}

function reportPeople(socket: WASocket, report: (event: NetworkEvent) => void): void {
  const people = (list: Parameters<typeof toKnownPerson>[0][]) => {
    const known = list.flatMap((contact) => toKnownPerson(contact) ?? [])
    if (known.length > 0) report({ kind: 'people', people: known })
  }
  socket.ev.on('contacts.upsert', people)
  socket.ev.on('contacts.update', people)
  socket.ev.on('lid-mapping.update', ({ lid, pn }) => people([{ id: pn, lid }]))
}

/** Before the library answers, so that the answer waits until the change is stored. */
function reportPictures(
  socket: WASocket,
  pictures: Pick<PictureNotices, 'read'>,
  report: (event: NetworkEvent) => void,
): void {
  socket.ws.prependListener('CB:notification', (stanza: BinaryNode) => {
    const notice = pictures.read(stanza)
    if (notice) report(notice)
  })
}

function reportGroups(socket: WASocket, reader: GroupReader): void {
  /** Change events are partial: the whole group is read, so that the stored one is never incomplete. */
  const refresh = (jid: string | undefined) => {
    // A failed request says nothing about the group; the next change reads it again.
    if (jid) void reader.read(jid).catch(() => undefined)
  }
  socket.ev.on('groups.upsert', (groups) => void reader.reportJoined(groups).catch(() => undefined))
  socket.ev.on('groups.update', (groups: BaileysEventMap['groups.update']) => {
    const listed = groups.filter(isWhole)
    if (listed.length > 0) void reader.reportListed(listed).catch(() => undefined)
    for (const group of groups) if (!isWhole(group)) refresh(group.id)
  })
  socket.ev.on('group-participants.update', ({ id }) => refresh(id))
  // The library has no event of the group for this setting.
  socket.ws.on('CB:notification', (stanza: BinaryNode) => {
    const notice = toGroupNotice(stanza)
    if (notice?.what === 'disappearingSeconds') refresh(notice.jid)
  })
}

/** The library emits whole groups under the same event when it has listed all of them. */
const isWhole = (group: Partial<GroupMetadata>): group is GroupMetadata => group.participants !== undefined
