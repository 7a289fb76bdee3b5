// Calls about labels. After each change it is reported, as if another device had made it.
import type { ChatCalls, ChatReport } from '../../network/chats.ts'
import type { AppStateChanges } from '../library/app-state-changes.ts'
import { withTimeout } from '../library/with-timeout.ts'

/** For a whole call: shorter than a call between nodes may take. */
const ANSWER_MS = 20_000

export interface LabelCallParts {
  changes: AppStateChanges
  report(event: ChatReport): Promise<void>
  clock: () => number
}

export function createLabelCalls({
  changes,
  report,
  clock,
}: LabelCallParts): Pick<ChatCalls, 'saveLabel' | 'labelChat'> {
  const limited = (work: Promise<void>): Promise<void> => withTimeout(work, ANSWER_MS, 'the label')
  return {
    saveLabel: (label) =>
      limited(
        (async () => {
          const { labelId: id, predefinedId, ...facts } = label
          const addLabel = { id, ...facts, ...(predefinedId !== null && { predefinedId }) }
          await changes.change({ addLabel }, '')
          await report({ kind: 'label', ...label, isInitial: false })
        })(),
      ),
    labelChat: (chat, labelId, labeled) =>
      limited(
        (async () => {
          const change = labeled ? { addChatLabel: { labelId } } : { removeChatLabel: { labelId } }
          await changes.change(change, chat)
          await report({ kind: 'chat_label', chat, labelId, labeled, atMs: clock(), isInitial: false })
        })(),
      ),
  }
}
