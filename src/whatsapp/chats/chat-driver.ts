// The chats of one connection: reports what other devices change, makes the calls, and keeps signs of typing while they last.

import type { ShownPresence } from '../../contract/chats.ts'
import { settledWithin } from '../../kernel/async/waiting.ts'
import type { ChatCalls } from '../../network/chats.ts'
import type { ConnectOptions, NetworkSession } from '../../network/network.ts'
import { plainJid } from '../from-network/people.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import { isLidUser, jidNormalizedUser } from '../library/protocol.ts'
import type { SyncAction } from '../library/quiet-logger.ts'
import { withTimeout } from '../library/with-timeout.ts'
import type { HeldCredentials } from '../library/write-barrier.ts'
import { toChatReport } from './app-state.ts'
import { createChatCalls } from './chat-calls.ts'
import { createPresenceSigns } from './presence-signs.ts'

const ANSWER_MS = 20_000
/** How long closing waits until chats no longer show typing. */
const END_PRESENCE_MS = 1000
const CHAT_STATES = { typing: 'composing', recording: 'recording', paused: 'paused' } as const

export interface ChatDriver {
  /** Another device has made this change. */
  onSyncAction(action: SyncAction): void
  calls(): ChatCalls & Pick<NetworkSession, 'showTyping'>
  /** The connection is closed. */
  onClosed(): void
  /** Before the connection is closed. `flushed` resolves when all frames are sent. */
  endPresence(flushed: () => Promise<unknown>): Promise<void>
}

export function createChatDriver(
  socket: () => LibrarySocket,
  { hold }: Pick<HeldCredentials, 'hold'>,
  { onEvent }: Pick<ConnectOptions, 'onEvent'>,
  clock: () => number,
): ChatDriver {
  const show = (chat: string, what: ShownPresence): Promise<void> =>
    withTimeout(socket().sendPresenceUpdate(CHAT_STATES[what], chat), ANSWER_MS, 'typing')
  const presence = createPresenceSigns(show)

  return {
    onSyncAction(action) {
      const report = toChatReport(action)
      if (!report) return
      // Frames wait until the change is recorded.
      hold(
        'chat' in report
          ? namedByNumber(socket(), report.chat).then((chat) => onEvent({ ...report, chat }))
          : onEvent(report),
      )
    },
    calls: () => ({
      ...createChatCalls({
        socket: socket(),
        changes: { change: socket().changeAppState },
        presence,
        report: onEvent,
        clock,
      }),
      async showTyping(chat, what) {
        presence.forget(chat)
        await show(chat, what === 'nothing' ? 'paused' : what)
      },
    }),
    onClosed: presence.forgetAll,
    async endPresence(flushed) {
      if (presence.isAnyShown()) await settledWithin(presence.endAll().then(flushed), END_PRESENCE_MS)
    },
  }
}

async function namedByNumber(socket: LibrarySocket, chat: string): Promise<string> {
  const jid = jidNormalizedUser(chat)
  return isLidUser(jid) ? plainJid((await socket.otherNameOf(jid)) ?? jid) : jid
}
