// A poll from the network, and what must be kept of any poll to read its votes.
import type { proto } from 'baileys'
import type { ReadKind } from './reading.ts'
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
      // Zero on the wire: as many as there are.
      selectableCount: countOf(poll.selectableOptionsCount) || optionNames(poll).length,
    },
    contextInfo: poll.contextInfo,
  }
}

export interface KnownPoll {
  secret: Uint8Array
  options: string[]
}

/** Of a poll as it was sent or received; null for what is no poll, or has no secret. */
export function knownPoll(message: proto.IMessage): KnownPoll | null {
  const { content } = unwrap(message)
  const poll = pollIn(content)
  const secret = bytesOrNull(content.messageContextInfo?.messageSecret) ?? bytesOrNull(poll?.encKey)
  return poll && secret ? { secret, options: optionNames(poll) } : null
}

const optionNames = ({ options }: proto.Message.IPollCreationMessage): string[] =>
  (options ?? []).map(({ optionName }) => optionName ?? '')
