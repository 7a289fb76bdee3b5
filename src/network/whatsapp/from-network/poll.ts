// A poll from the network, and the parts of a poll that are needed to decrypt its votes.
import type { proto } from 'baileys'
import type { KnownPoll, ReadKind } from './reading.ts'
import { pollIn } from './text-of.ts'
import { unwrap } from './unwrap.ts'
import { bytesOrNull, countOf, textOrNull } from './wire-values.ts'

export const readPoll: ReadKind = (content) => {
  const poll = pollIn(content)
  if (!poll) return null
  return {
    type: 'poll',
    text: textOrNull(poll.name),
    content: {
      pollName: poll.name ?? '',
      options: optionNames(poll),
      // Zero means any number.
      selectableCount: countOf(poll.selectableOptionsCount) || optionNames(poll).length,
    },
    contextInfo: poll.contextInfo,
  }
}

/** From a sent or received poll; null if the message is not a poll or has no secret. */
export function knownPoll(message: proto.IMessage): KnownPoll | null {
  const { content } = unwrap(message)
  const poll = pollIn(content)
  const secret = bytesOrNull(content.messageContextInfo?.messageSecret) ?? bytesOrNull(poll?.encKey)
  return poll && secret ? { secret, options: optionNames(poll) } : null
}

const optionNames = ({ options }: proto.Message.IPollCreationMessage): string[] =>
  (options ?? []).map(({ optionName }) => optionName ?? '')
