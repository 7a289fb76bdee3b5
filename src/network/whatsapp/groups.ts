// Converts a group from the library's form to the port's.
import {
  areJidsSameUser,
  type Contact,
  type GroupMetadata,
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
} from 'baileys'
import type { NetworkGroup } from '../network.ts'

export function toNetworkGroup(group: GroupMetadata, me: Contact | undefined): NetworkGroup {
  const participants = group.participants.map((participant) => {
    const phoneJid = [participant.phoneNumber, participant.id].find((jid) => isPnUser(jid))
    const lidJid = [participant.lid, participant.id].find((jid) => isLidUser(jid))
    return {
      jid: jidNormalizedUser(phoneJid ?? participant.id),
      lid: lidJid ? jidNormalizedUser(lidJid) : null,
      phone: phoneJid ? (jidDecode(phoneJid)?.user ?? null) : null,
      isAdmin: participant.admin !== null && participant.admin !== undefined,
    }
  })
  const isMe = (jid: string) => areJidsSameUser(jid, me?.id) || areJidsSameUser(jid, me?.lid)
  return {
    jid: group.id,
    subject: group.subject,
    description: group.desc ?? null,
    ownerJid: group.ownerPn ?? group.owner ?? null,
    createdAtMs: group.creation ? group.creation * 1000 : null,
    isAdmin: participants.some((participant) => participant.isAdmin && isMe(participant.jid)),
    isAnnouncement: group.announce === true,
    isLocked: group.restrict === true,
    participants,
  }
}
