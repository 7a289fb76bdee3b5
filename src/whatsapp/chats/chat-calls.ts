// Calls about chats. After each change it is reported, as if another device had made it.

import { createBoundedMap } from '../../kernel/async/bounded-map.ts'
import type { ChatCalls, ChatReport, ChatSettings, MessageAddress } from '../../network/chats.ts'
import type { AppStateChanges } from '../library/app-state-changes.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import type { ChatModification, proto } from '../library/protocol.ts'
import { withTimeout } from '../library/with-timeout.ts'
import { endOfSecond } from './app-state.ts'
import { createLabelCalls } from './label-calls.ts'
import type { PresenceSigns } from './presence-signs.ts'

/** For a whole call, with all its queries: shorter than a call between nodes may take. */
const ANSWER_MS = 20_000
/** Phones send at most this many messages at once. */
const MAX_HISTORY = 50
/** A request for the same messages is not repeated within this time: the phone answers when it is online. */
const REQUEST_MS = 30_000
/** Requests that are remembered. */
const MAX_REQUESTS = 1000

export interface ChatCallParts {
  socket: Pick<LibrarySocket, 'fetchMessageHistory'>
  changes: AppStateChanges
  presence: Pick<PresenceSigns, 'show'>
  report(event: ChatReport): Promise<void>
  clock: () => number
}

export function createChatCalls(parts: ChatCallParts): ChatCalls {
  const { changes, presence, report, clock } = parts
  const limited = <T>(work: Promise<T>, what = 'the chat'): Promise<T> => withTimeout(work, ANSWER_MS, what)
  const requestHistory = createHistoryRequests(parts)

  async function changeChat(
    chat: string,
    settings: ChatSettings,
    last: MessageAddress | null,
  ): Promise<void> {
    for (const [name, toModification] of Object.entries(MODIFICATIONS)) {
      const value = settings[name as keyof ChatSettings]
      if (value === undefined) continue
      await changes.change(toModification(value as never, lastMessages(chat, last)), chat)
      const throughMs = endOfSecond(last?.sentAtMs ?? clock())
      await report({ kind: 'chat_settings', chat, throughMs, isInitial: false, [name]: value })
    }
  }
  return {
    changeChat: (chat, settings, last) => limited(changeChat(chat, settings, last)),
    clearChat: (chat, last) =>
      limited(
        (async () => {
          await changes.change({ clear: true, lastMessages: lastMessages(chat, last) }, chat)
          const throughMs = endOfSecond(last?.sentAtMs ?? clock())
          await report({ kind: 'chat_cleared', chat, throughMs, keepStarred: false })
        })(),
      ),
    starMessage: (chat, { messageId, isOurs }, starred) =>
      limited(
        (async () => {
          const star = { messages: [{ id: messageId, fromMe: isOurs }], star: starred }
          await changes.change({ star }, chat)
          await report({ kind: 'starred', chat, messageId, isOurs, starred })
        })(),
        'the star',
      ),
    ...createLabelCalls(parts),
    requestHistory: (chat, oldest, count) => limited(requestHistory(chat, oldest, count), 'the history'),
    showPresence: (chat, what, seconds) => limited(presence.show(chat, what, seconds), 'typing'),
  }
}

type LastMessages = ReturnType<typeof lastMessages>

const MODIFICATIONS: {
  [K in keyof Required<ChatSettings>]: (
    value: Exclude<ChatSettings[K], undefined>,
    last: LastMessages,
  ) => ChatModification
} = {
  archived: (archive, last) => ({ archive, lastMessages: last }),
  mutedUntil: (mute) => ({ mute }),
  pinned: (pin) => ({ pin }),
  unread: (unread, last) => ({ markRead: !unread, lastMessages: last }),
}

/** Names the last message, so that devices with later ones do not apply the change to them. */
const lastMessages = (chat: string, last: MessageAddress | null) =>
  last ? [{ key: keyOf(chat, last), messageTimestamp: Math.floor(last.sentAtMs / 1000) }] : []

const keyOf = (
  chat: string,
  { messageId, isOurs, ...address }: MessageAddress,
): proto.IMessageKey & { id: string } => ({
  id: messageId,
  fromMe: isOurs,
  remoteJid: isOurs ? chat : address.chat,
  ...(!isOurs && address.participant !== null && { participant: address.participant }),
})

function createHistoryRequests({ socket, clock }: Pick<ChatCallParts, 'socket' | 'clock'>) {
  const requestedAt = createBoundedMap<string, number>(MAX_REQUESTS)
  return async (chat: string, oldest: MessageAddress, count: number): Promise<void> => {
    const name = `${chat} ${oldest.messageId}`
    if (clock() - (requestedAt.get(name) ?? -REQUEST_MS) < REQUEST_MS) return
    await socket.fetchMessageHistory(Math.min(count, MAX_HISTORY), keyOf(chat, oldest), oldest.sentAtMs)
    requestedAt.set(name, clock())
  }
}
