// A phone that could not read a message asks for it again. The library answers from what it is given, but without the nodes
// beside the message, and phones show nothing of buttons and lists that lack theirs: those are sent again from here.
import {
  type BinaryNode,
  getBinaryNodeChild,
  isJidGroup,
  isLidUser,
  jidDecode,
  type proto,
  type WAMessageKey,
  type WASocket,
} from 'baileys'
import type { ConnectOptions } from '../network.ts'
import type { AuthState } from './auth-state.ts'
import { plainJid } from './from-network/people.ts'
import { decodePayload, type WirePayload } from './payload.ts'

/** Requests remembered until the library looks the message up; only a flood of them is larger. */
const MOST_REQUESTS = 500

export interface Resender {
  /** What the library asks for: the message to send again, where it can do that alone. */
  getMessage(key: WAMessageKey): Promise<proto.IMessage | undefined>
  /** Must see each receipt before the library does. */
  noteReceipt(stanza: BinaryNode): void
}

export function createResender(
  { findSent }: Pick<ConnectOptions, 'findSent'>,
  socket: () => WASocket,
  { creds }: Pick<AuthState, 'creds'>,
): Resender {
  /** How often each message was asked for, by message and who asked: only the network's own word starts a resend. */
  const requests = new Map<string, number>()

  return {
    async getMessage(key) {
      const stored = key.id ? await findSent(key.id) : undefined
      if (!stored) return undefined
      const payload = decodePayload(stored)
      if (!(await mayHave(socket(), creds.me, key, payload.chat))) return undefined
      if (payload.additionalNodes.length === 0) return payload.message
      const name = requestName(key.id, key.participant)
      const count = requests.get(name)
      requests.delete(name)
      if (count !== undefined) afterReceipt(socket(), () => resend(socket(), key, payload, count))
      return undefined
    },
    noteReceipt(stanza) {
      const { type, id, participant, from } = stanza.attrs
      if (type !== 'retry') return
      const count = Number(getBinaryNodeChild(stanza, 'retry')?.attrs.count ?? 1)
      requests.set(requestName(id, participant ?? from), count)
      if (requests.size > MOST_REQUESTS) requests.delete(requests.keys().next().value as string)
    },
  }
}

/** It goes again only into the chat it was written for, and only to a device of somebody who is in there. */
async function mayHave(
  socket: WASocket,
  me: AuthState['creds']['me'],
  { remoteJid, participant }: WAMessageKey,
  chat: string | undefined,
): Promise<boolean> {
  if (chat === undefined) return true
  const asked = await namesOf(socket, remoteJid)
  const asker = await namesOf(socket, participant ?? remoteJid)
  const isOurs = [me?.id, me?.lid].some((jid) => jid !== undefined && asker.has(plainJid(jid)))
  if (!isJidGroup(chat)) {
    const person = await namesOf(socket, chat)
    return !person.isDisjointFrom(asked) && (isOurs || !person.isDisjointFrom(asker))
  }
  if (!asked.has(chat)) return false
  if (isOurs) return true
  const { participants } = await socket.groupMetadata(chat)
  return participants.some((member) =>
    [member.id, member.lid, member.phoneNumber].some((jid) => asker.has(plainJid(jid ?? ''))),
  )
}

/** The names under which the network may speak of the same person. */
async function namesOf(socket: WASocket, jid: string | null | undefined): Promise<Set<string>> {
  const name = plainJid(jid ?? '')
  if (isJidGroup(name)) return new Set([name])
  const { lidMapping } = socket.signalRepository
  const other = isLidUser(name) ? await lidMapping.getPNForLID(name) : await lidMapping.getLIDForPN(name)
  return new Set(other ? [name, plainJid(other)] : [name])
}

const requestName = (id: string | null | undefined, asker: string | null | undefined): string =>
  `${id ?? ''} ${asker ?? ''}`

/** The library looks a message up first and renews the session after; the next turn finds the session renewed. */
function afterReceipt(socket: WASocket, work: () => Promise<unknown>): void {
  // What fails here is asked for again.
  void socket.receiptMutex.mutex(work).catch(() => undefined)
}

/** To the one device that asked; where that is the phone itself, to all of the person's devices, as the library does. */
function resend(
  socket: WASocket,
  key: WAMessageKey,
  { message, additionalNodes }: WirePayload,
  count: number,
): Promise<unknown> {
  const asker = key.participant ?? key.remoteJid ?? ''
  const isPhone = !jidDecode(asker)?.device
  return socket.relayMessage(key.remoteJid ?? '', message, {
    messageId: key.id ?? '',
    additionalNodes,
    ...(isPhone ? { useUserDevicesCache: false } : { participant: { jid: asker, count } }),
  })
}
