// A poll vote from the network: encrypted with the secret of the poll, and bound to the creator and the voter.
import { createHash } from 'node:crypto'
import { decryptPollVote, type proto } from 'baileys'
import type { PersonIds } from '../../message.ts'
import { idsOf, plainJid } from './people.ts'
import type { KnownPoll, ReadingFacts, ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'

/** `options` is null if the vote cannot be decrypted, with the reason in `problem`; empty if the vote was withdrawn. */
export const readPollVote: ReadKind = ({ pollUpdateMessage }, facts) => {
  if (!pollUpdateMessage) return null
  const key = pollUpdateMessage.pollCreationMessageKey
  const pollId = key?.id ?? ''
  const creators = creatorsOf(key, facts)
  const poll = facts.findPoll(pollId)
  const options =
    poll && openVote(pollUpdateMessage.vote, { poll, pollId, creators, voters: namesOf(facts.from) })
  return {
    type: 'poll_vote',
    text: null,
    target: claimedTarget(key, facts.resolve, 'ours'),
    content: {
      targetMessageId: pollId,
      options,
      ...(options === null && { problem: poll ? 'vote_not_readable' : 'poll_not_known' }),
    },
  }
}

interface Ballot {
  poll: KnownPoll
  pollId: string
  creators: string[]
  voters: string[]
}

/** The vote is encrypted under one of two identifiers of each side. Only the right pair decrypts it, so all are tried. */
function openVote(
  vote: proto.Message.IPollEncValue | null | undefined,
  { poll, pollId, creators, voters }: Ballot,
): string[] | null {
  if (!vote?.encPayload || !vote.encIv) return null
  for (const pollCreatorJid of creators) {
    for (const voterJid of voters) {
      const seal = { pollCreatorJid, pollMsgId: pollId, pollEncKey: poll.secret, voterJid }
      const chosen = tryToOpen(vote, seal)
      if (chosen) return namesOfOptions(chosen, poll.options)
    }
  }
  return null
}

function tryToOpen(
  vote: proto.Message.IPollEncValue,
  seal: Parameters<typeof decryptPollVote>[1],
): Uint8Array[] | null {
  try {
    return decryptPollVote(vote, seal).selectedOptions ?? []
  } catch {
    return null
  }
}

/** A vote contains the hashes of its options. */
function namesOfOptions(chosen: Uint8Array[], options: string[]): string[] {
  const hashes = new Set(chosen.map((hash) => Buffer.from(hash).toString('hex')))
  return options.filter((option) => hashes.has(createHash('sha256').update(option).digest('hex')))
}

/** The key is relative to the voter, or to this account if the library has converted it: all possible creators. */
function creatorsOf(
  key: proto.IMessageKey | null | undefined,
  { me, from, chat, resolve }: ReadingFacts,
): string[] {
  const named = [key?.participant, key?.remoteJid, chat]
    .filter((jid): jid is string => Boolean(jid))
    .map(plainJid)
  const people = named.filter((jid) => /@(s\.whatsapp\.net|lid)$/.test(jid))
  const names = [me, from, ...people.flatMap((jid) => [resolve(jid), idsOf(jid)])].flatMap(namesOf)
  return [...new Set(names)]
}

function namesOf({ jid, lid }: PersonIds): string[] {
  return lid === null || lid === jid ? [jid] : [jid, lid]
}
