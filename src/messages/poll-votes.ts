// The votes in a poll, counted from the stored messages.

import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { listMessages, type MessageRow } from './message-queries.ts'
import { type MessageName, requireMessages } from './messages.ts'
import { type PollVote, pollResult } from './rules.ts'

/** Votes in memory at once, and votes that are read at all. */
const PAGE = 500
const MAX_VOTES = 10_000
const MAX_VOTE_LENGTH = 65_536

export async function pollVotes({ store }: Pick<Deps, 'store'>, caller: Caller, name: MessageName) {
  const copies = await requireMessages(store.db, caller, name)
  const poll = copies.find(({ kind }) => kind === 'poll')
  if (!poll) throw new GatewayError('message_not_a_poll')
  const { pollName, options } = JSON.parse(poll.content) as { pollName: string; options: string[] }
  const votes: PollVote[] = []
  for (let offset = 0; offset < MAX_VOTES; offset += PAGE) {
    const page = await listMessages(store.db, { ...votesAfter(poll), limit: PAGE, offset })
    votes.push(...page.flatMap((row) => voteIn(row, poll.id)))
    if (page.length < PAGE) break
  }
  return {
    messageId: poll.id,
    instanceName: poll.api_name,
    name: pollName,
    ...pollResult(options, votes),
  }
}

const votesAfter = ({ account_id, instance_id, chat, listed_at, created_at }: MessageRow) => ({
  accountId: account_id,
  instanceId: instance_id,
  chats: [chat],
  person: undefined,
  status: undefined,
  direction: undefined,
  kinds: ['poll_vote'],
  until: undefined,
  since: listed_at ?? created_at,
})

function voteIn({ content, chat }: MessageRow, pollId: string): PollVote[] {
  // Crafted, and stored before votes had a limit: up to two megabytes, which one answer would read ten thousand times.
  if (content.length > MAX_VOTE_LENGTH) return []
  const { targetMessageId, options, optionIndexes, from } = JSON.parse(content) as {
    targetMessageId?: string
    options?: string[] | null
    optionIndexes?: number[]
    from?: { jid: string }
  }
  if (targetMessageId !== pollId) return []
  return [{ voter: from?.jid ?? chat, options: optionIndexes ?? options ?? null }]
}
