// Handles retry receipts: a phone that could not decrypt a message requests it again. The library resends the message but drops
// its additional nodes and attributes. Phones do not show buttons and lists, and apply no change, without them: those messages are
// resent here. So is a status, which the library would resend into the chat with the person.

import { createBoundedMap } from '../../kernel/async/bounded-map.ts'
import type { ConnectOptions } from '../../network/network.ts'
import { plainJid } from '../from-network/people.ts'
import type { GroupReader } from '../groups/group-reader.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import {
  type BinaryNode,
  type GroupMetadata,
  getBinaryNodeChild,
  isJidGroup,
  jidDecode,
  type proto,
  type WAMessageKey,
} from '../library/protocol.ts'
import { decodePayload, type WirePayload } from './payload.ts'

/** Requests remembered until the library looks the message up. */
const MAX_REQUESTS = 500

export interface Resender {
  /** Called by the library: the message to resend, if the library can resend it without help. */
  getMessage(key: WAMessageKey): Promise<proto.IMessage | undefined>
  /** Must be called with each receipt before the library handles it. */
  recordReceipt(stanza: BinaryNode): void
}

export function createResender(
  { findSent }: Pick<ConnectOptions, 'findSent'>,
  socket: () => LibrarySocket,
  groups: Pick<GroupReader, 'forSending' | 'read'>,
): Resender {
  /** The retry count of each request, by message and requester: only a receipt from the network starts a resend. */
  const requests = createBoundedMap<string, number>(MAX_REQUESTS)

  return {
    async getMessage(key) {
      const stored = key.id ? await findSent(key.id) : undefined
      if (!stored) return undefined
      const payload = decodePayload(stored)
      if (!(await mayReceive({ socket: socket(), groups }, key, payload))) return undefined
      if (payload.additionalNodes.length === 0 && !payload.attributes && !payload.audience)
        return payload.message
      const name = requestName(key.id, key.participant)
      const count = requests.get(name)
      requests.delete(name)
      if (count !== undefined) afterReceipt(socket(), () => resend(socket(), key, payload, count))
      return undefined
    },
    recordReceipt(stanza) {
      const { type, id, participant, from } = stanza.attrs
      if (type !== 'retry') return
      const count = Number(getBinaryNodeChild(stanza, 'retry')?.attrs.count ?? 1)
      requests.set(requestName(id, participant ?? from), count)
    },
  }
}

interface ResendContext {
  socket: LibrarySocket
  groups: Pick<GroupReader, 'forSending' | 'read'>
}

/** A message is resent only into its own chat, and only to a device of a participant. */
async function mayReceive(
  { socket, groups }: ResendContext,
  { remoteJid, participant }: WAMessageKey,
  { chat, audience }: Pick<WirePayload, 'chat' | 'audience'>,
): Promise<boolean> {
  if (chat === undefined) return true
  const chatNames = await namesOf(socket, remoteJid)
  const requester = await namesOf(socket, participant ?? remoteJid)
  const isOurs = [socket.me?.id, socket.me?.lid].some(
    (jid) => jid !== undefined && requester.has(plainJid(jid)),
  )
  if (audience) return chatNames.has(chat) && (isOurs || audience.some((jid) => requester.has(plainJid(jid))))
  if (!isJidGroup(chat)) {
    const person = await namesOf(socket, chat)
    return !person.isDisjointFrom(chatNames) && (isOurs || !person.isDisjointFrom(requester))
  }
  if (!chatNames.has(chat)) return false
  if (isOurs) return true
  const isMember = ({ participants }: GroupMetadata) =>
    participants.some((member) =>
      [member.id, member.lid, member.phoneNumber].some((jid) => requester.has(plainJid(jid ?? ''))),
    )
  // The kept group may not have the newest member yet.
  return isMember(await groups.forSending(chat)) || isMember(await groups.read(chat))
}

/** All identifiers of the same person. */
async function namesOf(socket: LibrarySocket, jid: string | null | undefined): Promise<Set<string>> {
  const name = plainJid(jid ?? '')
  if (isJidGroup(name)) return new Set([name])
  const other = await socket.otherNameOf(name)
  return new Set(other ? [name, plainJid(other)] : [name])
}

const requestName = (id: string | null | undefined, requester: string | null | undefined): string =>
  `${id ?? ''} ${requester ?? ''}`

/** The library looks a message up before it renews the session; after its receipt handling the session is renewed. */
function afterReceipt(socket: LibrarySocket, work: () => Promise<unknown>): void {
  // The phone repeats its request after a failure.
  void socket.afterReceipts(work).catch(() => undefined)
}

/** To the device that asked; if that is the phone itself, to all devices of the person, as the library does. */
function resend(
  socket: LibrarySocket,
  key: WAMessageKey,
  { message, additionalNodes, attributes, audience }: WirePayload,
  count: number,
): Promise<unknown> {
  const requester = key.participant ?? key.remoteJid ?? ''
  // To all devices of the person, with new keys; those that have the status already ignore the second copy.
  if (audience)
    return socket.relayMessage(key.remoteJid ?? '', message, {
      messageId: key.id ?? '',
      additionalNodes,
      ...(attributes && { additionalAttributes: attributes }),
      statusJidList: [plainJid(requester)],
      useUserDevicesCache: false,
    })
  const isPhone = !jidDecode(requester)?.device
  return socket.relayMessage(key.remoteJid ?? '', message, {
    messageId: key.id ?? '',
    additionalNodes,
    ...(attributes && { additionalAttributes: attributes }),
    ...(isPhone ? { useUserDevicesCache: false } : { participant: { jid: requester, count } }),
  })
}
