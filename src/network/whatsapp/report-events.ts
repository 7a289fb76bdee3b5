// Converts the library's events and stanzas into events of the port.
import {
  type BaileysEventMap,
  type BinaryNode,
  type GroupMetadata,
  jidDecode,
  jidNormalizedUser,
  type WASocket,
} from 'baileys'
import type { ConnectOptions, NetworkEvent, OwnAccount } from '../network.ts'
import type { AuthState } from './auth-state.ts'
import { banEnd, closeCause } from './close-cause.ts'
import type { GroupReader } from './group-reader.ts'
import { toNetworkGroup } from './groups.ts'
import { otherNameOf, toKnownPerson } from './people.ts'
import { toReceipt, withAllNames } from './receipts.ts'
import type { WriteBarrier } from './write-barrier.ts'

/** How long the library shows a QR code: the first one longer than the others. */
const FIRST_QR_MS = 60_000
const NEXT_QR_MS = 20_000

export interface Reported {
  socket: WASocket
  auth: AuthState
  options: Pick<ConnectOptions, 'onEvent'>
  barrier: WriteBarrier
  groups: GroupReader
  /** How long a QR code is shown; undefined: the library's default. */
  codeMs: number | undefined
  onClosed(): void
}

export function reportEvents(reported: Reported): void {
  const { socket, auth, options, barrier, groups, codeMs, onClosed } = reported
  /** Frames wait until the handler of the event has written. */
  const report = (event: NetworkEvent) => barrier.hold(options.onEvent(event))

  socket.ev.on('creds.update', () => {
    // Until pairing is complete there is no login: an incomplete one would be refused at the next connection.
    if (auth.creds.account) barrier.hold(auth.saveCreds())
  })
  reportConnection(socket, auth, codeMs, (event) => {
    if (event.kind === 'closed') onClosed()
    void options.onEvent(event)
  })
  socket.ws.prependListener('CB:receipt', (stanza: BinaryNode) => {
    const receipt = toReceipt(stanza, auth.creds.me)
    // The library's answer waits for the lookup of identifiers too.
    if (receipt) barrier.hold(withAllNames(receipt, otherNameOf(socket)).then(options.onEvent))
  })
  reportPeople(socket, report)
  reportPictures(socket, report)
  reportGroups(socket, auth, groups, report)
}

function reportConnection(
  socket: WASocket,
  auth: AuthState,
  codeMs: number | undefined,
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
        expiresAt: Date.now() + (codeMs ?? (shown === 1 ? FIRST_QR_MS : NEXT_QR_MS)),
      })
    }
    if (connection === 'open') report({ kind: 'opened', account: ownAccount(auth) })
    if (connection === 'close') {
      const error = lastDisconnect?.error as { output?: { statusCode?: number }; data?: unknown } | undefined
      const cause = error ? closeCause(error.output?.statusCode, isPairing()) : 'ended'
      const until = cause === 'temporarily_banned' ? banEnd(error?.data, Date.now()) : null
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

/** The network reports that a picture was set or removed, without the picture itself. */
function reportPictures(socket: WASocket, report: (event: NetworkEvent) => void): void {
  socket.ev.on('contacts.update', (contacts) => {
    for (const { id, imgUrl } of contacts) {
      if (!id) continue
      if (imgUrl === 'changed') report({ kind: 'picture', jid: jidNormalizedUser(id), change: 'set' })
      if (imgUrl === 'removed') report({ kind: 'picture', jid: jidNormalizedUser(id), change: 'removed' })
    }
  })
}

function reportGroups(
  socket: WASocket,
  auth: AuthState,
  reader: GroupReader,
  report: (event: NetworkEvent) => void,
): void {
  /** Change events are partial: the whole group is read, so that the stored one is never incomplete. */
  const refresh = (jid: string | undefined) => {
    // A failed request says nothing about the group; the next change reads it again.
    if (jid) void reader.read(jid).catch(() => undefined)
  }
  socket.ev.on('groups.upsert', (groups) =>
    report({ kind: 'groups', groups: groups.map((group) => toNetworkGroup(group, auth.creds.me)) }),
  )
  socket.ev.on('groups.update', (groups: BaileysEventMap['groups.update']) => {
    const listed = groups.filter(isWhole)
    if (listed.length > 0) void reader.reportListed(listed).catch(() => undefined)
    for (const group of groups) if (!isWhole(group)) refresh(group.id)
  })
  socket.ev.on('group-participants.update', ({ id }) => refresh(id))
}

/** The library emits whole groups under the same event when it has listed all of them. */
const isWhole = (group: Partial<GroupMetadata>): group is GroupMetadata => group.participants !== undefined
