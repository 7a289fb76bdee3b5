// From the library's events and stanzas to the port's: what happened, once, in one form.
import {
  type BaileysEventMap,
  type BinaryNode,
  getBinaryNodeChildren,
  jidDecode,
  type WASocket,
} from 'baileys'
import type { ConnectOptions, NetworkEvent, OwnAccount } from '../network.ts'
import type { AuthState } from './auth-state.ts'
import { closeCause } from './close-cause.ts'
import { toNetworkGroup } from './groups.ts'
import { toKnownPerson } from './people.ts'
import type { WriteBarrier } from './write-barrier.ts'

/** How long the library shows a code: the first longer than those after it. */
const FIRST_QR_MS = 60_000
const NEXT_QR_MS = 20_000

export interface Reported {
  socket: WASocket
  auth: AuthState
  options: Pick<ConnectOptions, 'onEvent'>
  barrier: WriteBarrier
  /** How long a code is shown, where that is not the library's own choice. */
  codeMs: number | undefined
  onClosed(): void
}

export function reportEvents({ socket, auth, options, barrier, codeMs, onClosed }: Reported): void {
  /** Nothing leaves for the network before what the event causes is written. */
  const report = (event: NetworkEvent) => barrier.hold(options.onEvent(event))

  socket.ev.on('creds.update', () => {
    // Before pairing ends there is no login to keep, and a half one would be refused at the next connect.
    if (auth.creds.account) barrier.hold(auth.saveCreds())
  })
  reportConnection(socket, auth, codeMs, (event) => {
    if (event.kind === 'closed') onClosed()
    void options.onEvent(event)
  })
  socket.ws.prependListener('CB:receipt', (stanza: BinaryNode) => {
    const event = toReceipt(stanza)
    if (event) report(event)
  })
  reportPeople(socket, report)
  reportGroups(socket, auth, report)
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
      const error = lastDisconnect?.error as { output?: { statusCode?: number } } | undefined
      const cause = error ? closeCause(error.output?.statusCode, isPairing()) : 'ended'
      report({ kind: 'closed', cause })
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

const RECEIPT_STATUS: Record<string, 'delivered' | 'read' | 'played'> = {
  '': 'delivered',
  read: 'read',
  played: 'played',
}
const OWN_READ: ReadonlySet<string> = new Set(['read', 'read-self', 'played', 'played-self'])

/** What became of messages of ours, and what another device of ours has read; retry requests are the library's business. */
function toReceipt({ attrs, content }: BinaryNode): NetworkEvent | undefined {
  if (!attrs.id) return undefined
  const list = Array.isArray(content) ? content[0] : undefined
  const more = list ? getBinaryNodeChildren(list, 'item').flatMap((item) => item.attrs.id ?? []) : []
  const messageIds = [attrs.id, ...more]
  const atMs = attrs.t ? Number(attrs.t) * 1000 : Date.now()
  // A recipient is named where another device of ours did it.
  const isOwn = attrs.recipient !== undefined || attrs.type === 'read-self'
  if (isOwn) return OWN_READ.has(attrs.type ?? '') ? { kind: 'owner_read', messageIds, atMs } : undefined
  const status = RECEIPT_STATUS[attrs.type ?? '']
  return status && { kind: 'receipt', messageIds, status, atMs }
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

/** The network's codes for a group that is none of ours: forbidden, not found, gone. */
const NOT_A_MEMBER: ReadonlySet<number> = new Set([403, 404, 410])

function reportGroups(socket: WASocket, auth: AuthState, report: (event: NetworkEvent) => void): void {
  /** Changes come in pieces; the whole is asked for, so that the projection is never half true. */
  const refresh = (jid: string | undefined) => {
    if (!jid) return
    void socket.groupMetadata(jid).then(
      (group) => report({ kind: 'groups', groups: [toNetworkGroup(group, auth.creds.me)] }),
      (error: unknown) => {
        // A question that was cut off says nothing about the group.
        if (NOT_A_MEMBER.has((error as { data?: number }).data ?? 0)) report({ kind: 'left_group', jid })
      },
    )
  }
  socket.ev.on('groups.upsert', (groups) =>
    report({ kind: 'groups', groups: groups.map((group) => toNetworkGroup(group, auth.creds.me)) }),
  )
  socket.ev.on('groups.update', (groups: BaileysEventMap['groups.update']) => {
    for (const { id } of groups) refresh(id)
  })
  socket.ev.on('group-participants.update', ({ id }) => refresh(id))
}
