// Poll votes: encrypted with a secret from the poll, and bound to the poll's creator and the voter.
import { randomBytes } from 'node:crypto'
import { proto, sha256 } from 'baileys'
import { decryptWithAny, encryptWithSecret } from '../../src/network/message-secrets.ts'
import { jidOf } from '../model/address.ts'
import type { Account } from '../model/world.ts'
import type { StoredPhoneMessage } from '../store/messages.ts'
import { secretOf } from './secret-edits.ts'

const USE = 'Poll Vote'
const IV_BYTES = 12

export function encryptVote(
  poll: StoredPhoneMessage,
  creatorJid: string,
  voterJid: string,
  options: string[],
): proto.Message.IPollEncValue {
  const vote = proto.Message.PollVoteMessage.encode({
    selectedOptions: options.map((option) => sha256(Buffer.from(option))),
  }).finish()
  const encIv = randomBytes(IV_BYTES)
  const encPayload = encryptWithSecret(vote, encIv, {
    use: USE,
    secret: secretOf(poll) ?? new Uint8Array(),
    messageId: poll.id,
    author: creatorJid,
    sender: voterJid,
  })
  return { encIv, encPayload }
}

/** Decrypts a vote and returns the chosen options. Clients use either numbers or hidden ids, so all combinations are tried. */
export function decryptVote(
  poll: StoredPhoneMessage,
  creator: Account,
  voter: Account,
  update: proto.Message.IPollUpdateMessage,
): string[] | undefined {
  const plain = decryptWithAny(update.vote ?? {}, {
    use: USE,
    secrets: [secretOf(poll) ?? new Uint8Array()],
    messageId: poll.id,
    authors: [jidOf(creator, 'lid'), jidOf(creator, 'pn')],
    senders: [jidOf(voter, 'lid'), jidOf(voter, 'pn')],
  })
  if (!plain) return undefined
  const { selectedOptions } = proto.Message.PollVoteMessage.decode(plain)
  const chosen = new Set((selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex')))
  return poll.poll?.options.filter((option) => chosen.has(sha256(Buffer.from(option)).toString('hex')))
}
