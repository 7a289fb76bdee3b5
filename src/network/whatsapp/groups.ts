// A group as the library describes it, in the port's form.
import { areJidsSameUser, type Contact, type GroupMetadata, jidDecode, jidNormalizedUser } from 'baileys'
import type { NetworkGroup } from '../network.ts'

export function toNetworkGroup(group: GroupMetadata, me: Contact | undefined): NetworkGroup {
  const participants = group.participants.map((participant) => {
    const phoneJid = [participant.phoneNumber, participant.id].find((jid) => jid?.endsWith('@s.whatsapp.net'))
    return {
      jid: jidNormalizedUser(phoneJid ?? participant.id),
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
