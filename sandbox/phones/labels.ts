// Labels of a business phone: which there are, and which chats have them. Only the devices of the owner see them.
import { type ChatModification, chatModificationToAppPatch } from 'baileys'
import { jidOf } from '../model/address.ts'
import { Refusal } from '../model/refusal.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import { pushChange } from './app-state.ts'
import type { Phone } from './phone.ts'
import { findChat } from './send.ts'

export const listLabels = ({ account }: Phone) =>
  Object.entries(account.labels).map(([id, { name, color }]) => ({ id, name, color }))

/** Without an id it is a new one. */
export async function saveLabel(
  state: RoutingState,
  phone: Phone,
  { labelId, name, color }: { labelId?: string | undefined; name: string; color: number },
): Promise<string> {
  if (!phone.account.business)
    throw new Refusal('not_a_business', 'Only a phone with a business profile has labels.')
  const id = labelId ?? nextId(phone)
  await push(state, phone, { addLabel: { id, name, color, deleted: false } })
  return id
}

export async function deleteLabel(state: RoutingState, phone: Phone, labelId: string): Promise<void> {
  const { name, color } = requireLabel(phone, labelId)
  await push(state, phone, { addLabel: { id: labelId, name, color, deleted: true } })
}

export async function labelChat(
  state: RoutingState,
  phone: Phone,
  { chat: given, labelId, labeled }: { chat: string; labelId: string; labeled: boolean },
): Promise<void> {
  requireLabel(phone, labelId)
  const { group, person } = findChat(state.world, phone, given)
  const jid = group?.jid ?? jidOf(person ?? phone.account, state.world.addressing)
  await push(state, phone, labeled ? { addChatLabel: { labelId } } : { removeChatLabel: { labelId } }, jid)
}

const nextId = ({ account }: Phone): string =>
  String(Math.max(0, ...Object.keys(account.labels).map(Number).filter(Number.isSafeInteger)) + 1)

function requireLabel({ account }: Phone, labelId: string) {
  const label = Object.hasOwn(account.labels, labelId) ? account.labels[labelId] : undefined
  if (!label) throw new Refusal('label_not_found', 'The phone has no such label.')
  return label
}

const push = (state: RoutingState, phone: Phone, change: ChatModification, jid = ''): Promise<void> =>
  pushChange(state, phone, chatModificationToAppPatch(change, jid))
