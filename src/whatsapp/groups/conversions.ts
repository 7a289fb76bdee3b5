// Converts groups, invite links and requests to join from the library's form to the port's.

import type { InvitePreview, JoinRequest, NetworkGroup } from '../../network/groups.ts'
import {
  areJidsSameUser,
  type Contact,
  type GroupMetadata,
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
} from '../library/protocol.ts'
import { namedBy } from '../people/usernames.ts'

export function toNetworkGroup(group: GroupMetadata, me: Contact | undefined): NetworkGroup {
  const participants = group.participants.map((participant) => {
    const phoneJid = [participant.phoneNumber, participant.id].find((jid) => isPnUser(jid))
    const lidJid = [participant.lid, participant.id].find((jid) => isLidUser(jid))
    return {
      jid: jidNormalizedUser(phoneJid ?? participant.id),
      lid: lidJid ? jidNormalizedUser(lidJid) : null,
      phone: phoneJid ? (jidDecode(phoneJid)?.user ?? null) : null,
      ...namedBy(participant.username),
      isAdmin: participant.admin !== null && participant.admin !== undefined,
    }
  })
  const isMe = (jid: string) => areJidsSameUser(jid, me?.id) || areJidsSameUser(jid, me?.lid)
  return {
    jid: group.id,
    subject: group.subject,
    description: group.desc ?? null,
    ...originOf(group),
    isAdmin: participants.some((participant) => participant.isAdmin && isMe(participant.jid)),
    isAnnouncement: group.announce === true,
    isLocked: group.restrict === true,
    joinApproval: group.joinApprovalMode === true,
    memberAdd: group.memberAddMode === true ? 'all' : 'admins',
    disappearingSeconds: group.ephemeralDuration ?? 0,
    participants,
  }
}

const originOf = (group: GroupMetadata): Pick<NetworkGroup, 'ownerJid' | 'createdAtMs'> => ({
  ownerJid: group.ownerPn ?? group.owner ?? null,
  createdAtMs: group.creation ? group.creation * 1000 : null,
})

/** The network shows strangers only some of the participants, but the whole size. */
export const toInvitePreview = (group: GroupMetadata): InvitePreview => ({
  jid: group.id,
  subject: group.subject,
  description: group.desc ?? null,
  ...originOf(group),
  size: group.size ?? group.participants.length,
  joinApproval: group.joinApprovalMode === true,
})

/** The number of a person who asks with the hidden identifier may be in the request, or known from elsewhere. */
export async function toJoinRequest(
  { jid = '', phone_number: phoneNumber, request_time: time }: Record<string, string>,
  otherNameOf: (jid: string) => Promise<string | null>,
): Promise<JoinRequest> {
  const id = jidNormalizedUser(jid)
  const lid = isLidUser(id) ? id : null
  const phoneJid = lid === null ? id : (phoneNumber ?? (await otherNameOf(id)))
  return {
    jid: phoneJid ? jidNormalizedUser(phoneJid) : id,
    lid,
    phone: phoneJid ? (jidDecode(phoneJid)?.user ?? null) : null,
    requestedAtMs: time ? Number(time) * 1000 : null,
  }
}
