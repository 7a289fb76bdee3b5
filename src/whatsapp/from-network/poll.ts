// A poll from the network.
import type { proto } from 'baileys'
import type { ReadKind } from './reading.ts'
import { pollIn } from './text-of.ts'
import { countOf, textOrNull } from './wire-values.ts'

/** Phones offer twelve. A stored poll of an older program may have more. */
export const MAX_OPTIONS = 100

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

export const optionNames = ({ options }: proto.Message.IPollCreationMessage): string[] =>
  (options ?? []).map(({ optionName }) => optionName ?? '')
