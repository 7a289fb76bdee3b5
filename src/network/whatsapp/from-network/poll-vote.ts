// A poll vote from the network: encrypted with the secret of the poll.
import { createHash } from 'node:crypto'
import { proto } from 'baileys'
import { openWithSecret } from './originals.ts'
import type { ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'

/** `options` is null if the vote cannot be decrypted, with the reason in `problem`; empty if the vote was withdrawn. */
export const readPollVote: ReadKind = ({ pollUpdateMessage }, facts) => {
  if (!pollUpdateMessage) return null
  const key = pollUpdateMessage.pollCreationMessageKey
  const pollId = key?.id ?? ''
  const poll = facts.findOriginal(pollId)
  const isKnown = poll?.options && poll.secrets.length > 0
  const plain = openWithSecret('Poll Vote', pollUpdateMessage.vote, key, facts)
  const options = poll?.options && plain ? chosenIn(plain, poll.options) : null
  return {
    type: 'poll_vote',
    text: null,
    target: claimedTarget(key, facts.resolve, 'ours'),
    content: {
      targetMessageId: pollId,
      options,
      ...(options === null && { problem: isKnown ? 'vote_not_readable' : 'poll_not_known' }),
    },
  }
}

/** A vote contains the hashes of its options. */
function chosenIn(plain: Uint8Array, options: string[]): string[] | null {
  try {
    const { selectedOptions } = proto.Message.PollVoteMessage.decode(plain)
    const hashes = new Set((selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex')))
    return options.filter((option) => hashes.has(createHash('sha256').update(option).digest('hex')))
  } catch {
    return null
  }
}
