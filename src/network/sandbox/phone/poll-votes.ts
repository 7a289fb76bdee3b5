/** Poll votes: encrypted under a secret in the poll, and bound to who asked and who votes. */
import { randomBytes } from 'node:crypto'
import { aesEncryptGCM, decryptPollVote, hmacSign, proto, sha256 } from 'baileys'
import { type Addressing, jidOf } from '../address.ts'
import type { StoredMessage } from '../store/messages.ts'
import type { Account } from '../world.ts'

export function sealVote(
  poll: StoredMessage,
  creatorJid: string,
  voterJid: string,
  options: string[],
): proto.Message.IPollEncValue {
  const vote = proto.Message.PollVoteMessage.encode({
    selectedOptions: options.map((option) => sha256(Buffer.from(option))),
  }).finish()
  const signed = [poll.id, creatorJid, voterJid, 'Poll Vote'].map((part) => Buffer.from(part))
  const key = hmacSign(
    Buffer.concat([...signed, Buffer.from([1])]),
    hmacSign(Buffer.from(secretOf(poll)), Buffer.alloc(32)),
  )
  const encIv = randomBytes(12)
  return { encIv, encPayload: aesEncryptGCM(vote, key, encIv, Buffer.from(`${poll.id}\0${voterJid}`)) }
}

/** The chosen options; clients differ in whether they name people by number or hidden id, so both are tried. */
export function openVote(
  poll: StoredMessage,
  creator: Account,
  voter: Account,
  update: proto.Message.IPollUpdateMessage,
): string[] | undefined {
  const { encPayload, encIv } = update.vote ?? {}
  if (!encPayload || !encIv || !poll.poll) return undefined
  const forms: Addressing[] = ['lid', 'pn']
  for (const creatorForm of forms)
    for (const voterForm of forms) {
      try {
        const vote = decryptPollVote(
          { encPayload, encIv },
          {
            pollCreatorJid: jidOf(creator, creatorForm),
            pollMsgId: poll.id,
            pollEncKey: secretOf(poll),
            voterJid: jidOf(voter, voterForm),
          },
        )
        const chosen = new Set((vote.selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex')))
        return poll.poll.options.filter((option) => chosen.has(sha256(Buffer.from(option)).toString('hex')))
      } catch {
        // Not this pair of names.
      }
    }
  return undefined
}

function secretOf(poll: StoredMessage): Uint8Array {
  return proto.Message.decode(poll.content).messageContextInfo?.messageSecret ?? new Uint8Array()
}
