// Poll votes: encrypted with a secret from the poll, and bound to the poll's creator and the voter.
import { randomBytes } from 'node:crypto'
import { aesEncryptGCM, decryptPollVote, hmacSign, proto, sha256 } from 'baileys'
import { type Addressing, jidOf } from '../model/address.ts'
import type { Account } from '../model/world.ts'
import type { StoredPhoneMessage } from '../store/messages.ts'

export function encryptVote(
  poll: StoredPhoneMessage,
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

/** Decrypts a vote and returns the chosen options. Clients use either numbers or hidden ids, so all combinations are tried. */
export function decryptVote(
  poll: StoredPhoneMessage,
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
        // Another combination may fit.
      }
    }
  return undefined
}

function secretOf(poll: StoredPhoneMessage): Uint8Array {
  return proto.Message.decode(poll.content).messageContextInfo?.messageSecret ?? new Uint8Array()
}
