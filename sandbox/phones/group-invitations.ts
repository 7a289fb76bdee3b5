// Personal invitations to groups, as messages: composing, showing and reading them.
import { proto } from 'baileys'
import type { ShownContent } from '../model/shown-message.ts'
import type { Group, PersonalInvitation } from '../model/world.ts'

export function composeInvitation(
  group: Group,
  { code, expiresAt }: PersonalInvitation,
  caption: string | undefined,
): proto.IMessage {
  return {
    groupInviteMessage: {
      groupJid: group.jid,
      groupName: group.subject,
      inviteCode: code,
      inviteExpiration: expiresAt,
      ...(caption === undefined ? {} : { caption }),
    },
  }
}

export function showGroupInvite({
  groupInviteMessage: part,
}: proto.IMessage): Pick<ShownContent, 'kind' | 'text' | 'groupInvite'> | undefined {
  if (!part) return undefined
  const expiresAt = Number(part.inviteExpiration ?? 0)
  const groupInvite = { jid: part.groupJid ?? '', subject: part.groupName ?? '', expiresAt }
  return { kind: 'groupInvite', text: part.caption || null, groupInvite }
}

/** The group and the code of a stored invitation. Undefined for a message of another kind. */
export function readInvitation(content: Uint8Array): { jid: string; code: string } | undefined {
  const part = proto.Message.decode(content).groupInviteMessage
  return part ? { jid: part.groupJid ?? '', code: part.inviteCode ?? '' } : undefined
}
