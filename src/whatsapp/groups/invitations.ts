// Sends an invitation to a person who does not let others add them to groups.

import { createBoundedMap } from '../../kernel/async/bounded-map.ts'
import type { ConnectOptions, MessageToSend, SendResult } from '../../network/network.ts'
import { generateMessageIDV2 } from '../library/protocol.ts'
import { encodePayload } from '../sending/payload.ts'
import type { Invitation } from './member-answers.ts'

/** Kept for phones that could not decrypt one and request it again. */
const MAX_KEPT = 100

export interface InvitedGroup {
  jid: string
  subject: string
}

export interface Invitations {
  /** False: the network refused the message. */
  send(person: string, group: InvitedGroup, invitation: Invitation): Promise<boolean>
  /** An invitation, or any other message that was sent. */
  findSent(messageId: string): Promise<Uint8Array | undefined>
}

export function createInvitations(
  send: (message: MessageToSend) => Promise<SendResult>,
  findStored: ConnectOptions['findSent'],
): Invitations {
  const sent = createBoundedMap<string, Uint8Array>(MAX_KEPT)
  return {
    async send(person, group, invitation) {
      const messageId = generateMessageIDV2()
      const payload = encodePayload({
        chat: person,
        message: {
          groupInviteMessage: {
            groupJid: group.jid,
            groupName: group.subject,
            inviteCode: invitation.code,
            inviteExpiration: invitation.expiresAt,
          },
        },
        additionalNodes: [],
      })
      sent.set(messageId, payload)
      const result = await send({ messageId, chat: person, payload, stored: Promise.resolve() })
      return result.accepted
    },
    findSent: async (messageId) => sent.get(messageId) ?? findStored(messageId),
  }
}
