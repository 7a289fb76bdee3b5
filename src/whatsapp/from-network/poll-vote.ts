// A poll vote from the network: encrypted with the secret of the poll.
import { createHash } from 'node:crypto'
import { proto } from 'baileys'
import { openWithSecret } from './originals.ts'
import { MAX_OPTIONS } from './poll.ts'
import type { ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'

/** Code units of the names that a vote repeats. Twelve options, as phones offer them, have fewer. */
const MAX_NAMES = 2048

/**
 * `options` is null if the vote cannot be decrypted, with the reason in `problem`; empty if the vote was withdrawn. `optionIndexes` says
 * the same by the positions in the poll: a vote is a few bytes, so its copy of long names is cut.
 */
export const readPollVote: ReadKind = ({ pollUpdateMessage }, facts) => {
  if (!pollUpdateMessage) return null
  const key = pollUpdateMessage.pollCreationMessageKey
  const pollId = key?.id ?? ''
  const poll = facts.findOriginal(pollId)
  const isKnown = poll?.options && poll.secrets.length > 0
  const type = proto.Message.PollVoteMessage
  const sealed = { use: 'Poll Vote', type, encrypted: pollUpdateMessage.vote, key } as const
  const vote = openWithSecret<proto.Message.IPollVoteMessage>(sealed, facts)
  const chosen = poll?.options && vote ? chosenIn(vote.content, poll.options) : null
  const names = chosen && namesOf(chosen)
  return {
    type: 'poll_vote',
    text: null,
    target: claimedTarget(key, facts.resolve, 'ours'),
    content: {
      targetMessageId: pollId,
      options: names,
      ...(chosen && { optionIndexes: chosen.map(({ index }) => index) }),
      ...((vote?.truncated || (names && chosen && names.length < chosen.length)) && { truncated: true }),
      ...(chosen === null && { problem: isKnown ? 'vote_not_readable' : 'poll_not_known' }),
    },
  }
}

interface Chosen {
  name: string
  /** In the poll. */
  index: number
}

/** A vote contains the hashes of its options. Of equal names in a crafted poll, the first counts. */
function chosenIn({ selectedOptions }: proto.Message.IPollVoteMessage, options: readonly string[]): Chosen[] {
  const hashes = new Set((selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex')))
  const distinct = new Map<string, number>()
  for (const [index, name] of options.slice(0, MAX_OPTIONS).entries())
    if (!distinct.has(name)) distinct.set(name, index)
  return [...distinct]
    .filter(([name]) => hashes.has(createHash('sha256').update(name).digest('hex')))
    .map(([name, index]) => ({ name, index }))
}

function namesOf(chosen: readonly Chosen[]): string[] {
  let left = MAX_NAMES
  return chosen.map(({ name }) => name).filter((name) => (left -= name.length) >= 0)
}
