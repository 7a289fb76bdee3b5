import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { proto } from '../library/protocol.ts'
import type { SyncAction } from '../library/quiet-logger.ts'
import { FOR_EVER_MS, toChatReport } from './app-state.ts'

const CHAT = '5511912345678@s.whatsapp.net'
const AT_MS = 1_700_000_000_500
const RANGE = { lastMessageTimestamp: 1_600_000_000 }
const RANGE_MS = 1_600_000_000_999

const action = (index: string[], value: proto.ISyncActionValue, isInitial = false): SyncAction => ({
  index,
  value: { timestamp: AT_MS, ...value },
  isInitial,
})
const settings = (change: object, throughMs = AT_MS) => ({
  kind: 'chat_settings',
  chat: CHAT,
  throughMs,
  isInitial: false,
  ...change,
})

describe('changes of the account as reports', () => {
  const cases: [string, SyncAction, unknown][] = [
    [
      'an archived chat',
      action(['archive', CHAT], { archiveChatAction: { archived: true, messageRange: RANGE } }),
      settings({ archived: true }, RANGE_MS),
    ],
    [
      'a label',
      action(['label_edit', '6'], {
        labelEditAction: { name: 'Paid', color: 3, predefinedId: 4, deleted: false },
      }),
      {
        kind: 'label',
        labelId: '6',
        name: 'Paid',
        color: 3,
        predefinedId: 4,
        deleted: false,
        isInitial: false,
      },
    ],
    [
      'a deleted label, with a colour that the app does not have and a name that is too long',
      action(
        ['label_edit', '6'],
        { labelEditAction: { name: 'x'.repeat(500), color: 99, deleted: true } },
        true,
      ),
      {
        kind: 'label',
        labelId: '6',
        name: 'x'.repeat(256),
        color: 0,
        predefinedId: null,
        deleted: true,
        isInitial: true,
      },
    ],
    [
      'a list of the app',
      action(['label_edit', '9'], { labelEditAction: { name: 'Unread', type: 1 } }),
      null,
    ],
    ['a label without an id', action(['label_edit', ''], { labelEditAction: { name: 'A' } }), null],
    [
      'a chat with a label',
      action(['label_jid', '6', CHAT], { labelAssociationAction: { labeled: true } }),
      { kind: 'chat_label', chat: CHAT, labelId: '6', labeled: true, atMs: AT_MS, isInitial: false },
    ],
    [
      'a label of a message',
      action(['label_message', '6', CHAT, 'A1', '0', '0'], { labelAssociationAction: { labeled: true } }),
      null,
    ],
    ['a pinned chat', action(['pin_v1', CHAT], { pinAction: { pinned: true } }), settings({ pinned: true })],
    [
      'a muted chat',
      action(['mute', CHAT], { muteAction: { muted: true, muteEndTimestamp: 1_800_000_000_000 } }),
      settings({ mutedUntil: 1_800_000_000_000 }),
    ],
    [
      'a chat that is muted for ever',
      action(['mute', CHAT], { muteAction: { muted: true, muteEndTimestamp: -1 } }),
      settings({ mutedUntil: FOR_EVER_MS }),
    ],
    [
      'the end of a mute',
      action(['mute', CHAT], { muteAction: { muted: false } }),
      settings({ mutedUntil: null }),
    ],
    [
      'a chat marked as unread',
      action(['markChatAsRead', CHAT], { markChatAsReadAction: { read: false } }),
      settings({ unread: true }),
    ],
    [
      'a cleared chat that keeps starred messages',
      action(['clearChat', CHAT, '0', '0'], { clearChatAction: { messageRange: RANGE } }),
      { kind: 'chat_cleared', chat: CHAT, throughMs: RANGE_MS, keepStarred: true },
    ],
    [
      'a deleted chat',
      action(['deleteChat', CHAT, '1'], { deleteChatAction: {} }),
      { kind: 'chat_cleared', chat: CHAT, throughMs: AT_MS, keepStarred: false },
    ],
    [
      'a star of a sent message',
      action(['star', CHAT, 'A1', '1', '0'], { starAction: { starred: true } }),
      { kind: 'starred', chat: CHAT, messageId: 'A1', isOurs: true, starred: true },
    ],
    ['a contact', action(['contact', CHAT], { contactAction: { fullName: 'Ana' } }), null],
    ['a kind with the name of a method', action(['toString', CHAT], {}), null],
  ]
  for (const [name, given, expected] of cases)
    test(name, () => assert.deepEqual(toChatReport(given), expected))

  test('a chat that was cleared before pairing is not reported, because the history does not contain it', () => {
    assert.equal(toChatReport(action(['clearChat', CHAT, '1'], { clearChatAction: {} }, true)), null)
  })
})
