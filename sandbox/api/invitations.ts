// Calls about invitations to groups: sending personal ones, and joining with one or with an invite code.
import type { FastifyInstance } from 'fastify'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { sandboxRoutes as routes } from '../../src/contract/sandbox.ts'
import type { SandboxReason } from '../../src/contract/sandbox-reasons.ts'
import { isMember, mayAdd } from '../model/group-rules.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account, Group } from '../model/world.ts'
import {
  acceptInvitation,
  groupWithCode,
  invite,
  type JoinResult,
  joinByLink,
} from '../network/group-members.ts'
import { messageOn } from '../phones/compose.ts'
import { composeInvitation, readInvitation } from '../phones/group-invitations.ts'
import type { Phone, StateWithPhones } from '../phones/phone.ts'
import { findChat, send } from '../phones/send.ts'
import { writeGroup } from '../store/documents.ts'
import { call } from './call.ts'
import type { View } from './view.ts'

type Actor = (view: View, group: Group, by: string | undefined, may: typeof mayAdd) => Account

export function invitationCalls(app: FastifyInstance, state: StateWithPhones, actor: Actor): void {
  call(app, state, routes.sandboxInvite, async ({ params, body }, view) => {
    const group = view.group(params.jid)
    const people = body.members.map(view.person)
    const phone = view.phone(actor(view, group, body.by, mayAdd).number)
    if (people.some((person) => isMember(group, person))) throw refusal('already_a_member')
    const invitations: { number: string; messageId: string }[] = []
    for (const person of people) {
      const messageId = await sendInvitation(state, phone, group, person, body.caption)
      invitations.push({ number: person.number, messageId })
    }
    return { invitations }
  })
  call(app, state, routes.sandboxJoinGroup, async ({ params, body }, view) => {
    const phone = view.phone(params.number)
    const { group, join } =
      body.messageId === undefined
        ? withCode(state, phone.account, body.code ?? '')
        : withMessage(state, phone, body.messageId)
    if (isMember(group, phone.account)) throw refusal('already_a_member')
    const outcome = await join()
    if (!outcome) throw refusal('invite_expired')
    return { jid: group.jid, outcome }
  })
}

async function sendInvitation(
  state: StateWithPhones,
  phone: Phone,
  group: Group,
  person: Account,
  caption: string | undefined,
): Promise<string> {
  const invitation = invite(group, phone.account, person)
  writeGroup(state.database, group)
  const message = composeInvitation(group, invitation, caption)
  return send(state, phone, { chat: findChat(state.world, phone, person.number), message })
}

/** A group together with the way to join it. */
interface Entrance {
  group: Group
  join: () => Promise<JoinResult | undefined>
}

function withCode(state: StateWithPhones, account: Account, code: string): Entrance {
  const group = groupWithCode(state.world, code)
  if (group === 'revoked') throw refusal('invite_expired')
  if (!group) throw refusal('invite_not_found')
  return { group, join: () => joinByLink(state, group, account) }
}

function withMessage(state: StateWithPhones, phone: Phone, messageId: string): Entrance {
  const invitation = readInvitation(messageOn(state.database, phone, messageId).content)
  if (!invitation) throw refusal('not_an_invitation')
  const group = state.world.groups.get(invitation.jid)
  if (!group) throw refusal('invite_not_found')
  return { group, join: () => acceptInvitation(state, group, phone.account, invitation.code) }
}

function refusal(reason: SandboxReason): Refusal {
  return new Refusal(reason, sentenceOf(reason))
}
