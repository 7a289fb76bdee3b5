// Parses receipts. Anyone can send a receipt for any message, so chat and sender are reported for verification.

import { type Clock, wallClock } from '../../kernel/async/clock.ts'
import { isStorableId } from '../../network/arrival-names.ts'
import type { NetworkEvent } from '../../network/network.ts'
import { plainJid } from '../from-network/people.ts'
import { momentMs } from '../from-network/wire-values.ts'
import {
  areJidsSameUser,
  type BinaryNode,
  type Contact,
  getBinaryNodeChildren,
  isJidGroup,
} from '../library/protocol.ts'

const STATUSES: Record<string, 'delivered' | 'read' | 'played'> = {
  '': 'delivered',
  read: 'read',
  played: 'played',
}
const OWN_READ: ReadonlySet<string> = new Set(['read', 'read-self', 'played', 'played-self'])
const SELF = '-self'

type Receipt = Extract<NetworkEvent, { kind: 'receipt' | 'owner_read' }>

/** A receipt for sent messages, or for messages read on another device of the account. The library handles retry requests. */
export function toReceipt(
  { attrs, content }: BinaryNode,
  me: Contact | undefined,
  clock: Clock = wallClock,
): Receipt | undefined {
  const { id, from, participant, type = '', recipient } = attrs
  if (!id || !from) return undefined
  const isMe = (jid: string) => [me?.id, me?.lid].some((own) => areJidsSameUser(jid, own))
  // Ids that no message of the store can have. They would be refused there.
  const messageIds = [id, ...moreIds(content)].filter(isStorableId)
  if (messageIds.length === 0) return undefined
  const atMs = momentMs(attrs.t, clock())
  const sender = participant ?? from
  // Devices of the account name the recipient or use a -self type. From any other sender this is forged.
  if (recipient !== undefined || type.endsWith(SELF))
    return isMe(sender) && OWN_READ.has(type) ? { kind: 'owner_read', messageIds, atMs } : undefined
  const status = STATUSES[type]
  // A receipt of a device of the account in a group says nothing about the recipients.
  if (!status || (isMe(sender) && participant !== undefined)) return undefined
  const chat = isJidGroup(from) ? [from] : namesIn(from, attrs.sender_pn, attrs.sender_lid)
  const by = participant ? namesIn(participant, attrs.participant_pn, attrs.participant_lid) : chat
  return { kind: 'receipt', messageIds, status, atMs, chat, by }
}

function moreIds(content: BinaryNode['content']): string[] {
  const list = Array.isArray(content) ? content[0] : undefined
  return list ? getBinaryNodeChildren(list, 'item').flatMap((item) => item.attrs.id ?? []) : []
}

const namesIn = (...jids: (string | undefined)[]): string[] => [
  ...new Set(jids.flatMap((jid) => (jid ? [plainJid(jid)] : []))),
]

/** Adds identifiers that the stanza does not contain, if the session knows them. */
export async function withAllNames(
  receipt: Receipt,
  knownNames: (jids: readonly string[]) => Promise<Map<string, string>>,
): Promise<Receipt> {
  if (receipt.kind !== 'receipt') return receipt
  const complete = async (names: string[]): Promise<string[]> => {
    const [name, other] = names
    if (name === undefined || other !== undefined || isJidGroup(name)) return names
    const known = (await knownNames([name])).get(name)
    return known === undefined ? names : [name, plainJid(known)]
  }
  const [chat, by] = [await complete(receipt.chat), await complete(receipt.by)]
  return { ...receipt, chat, by }
}
