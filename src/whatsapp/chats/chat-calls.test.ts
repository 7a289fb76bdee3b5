import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatReport, MessageAddress } from '../../network/chats.ts'
import { NetworkError } from '../../network/network.ts'
import { createChatCalls } from './chat-calls.ts'

const CHAT = '5511912345678@s.whatsapp.net'
const GROUP = '120363000000000000@g.us'
const REFERENCE: MessageAddress = {
  messageId: 'A1',
  isOurs: false,
  chat: GROUP,
  participant: '77@lid',
  sentAtMs: 1_700_000_000_400,
}

function callsWith(change: (modification: object, jid: string) => Promise<void> = async () => undefined) {
  const log: unknown[] = []
  const reports: ChatReport[] = []
  const time = { now: 1_700_000_000_000 }
  const calls = createChatCalls({
    socket: {
      async fetchMessageHistory(...args) {
        log.push(args)
        return 'request'
      },
    },
    changes: {
      async change(modification, jid) {
        await change(modification, jid)
        log.push([jid, modification])
      },
    },
    presence: { show: async () => undefined },
    async report(event) {
      reports.push(event)
    },
    clock: () => time.now,
  })
  return { calls, log, reports, time }
}

test('each setting is a change of its own, and is reported when the network has accepted it', async () => {
  const { calls, log, reports } = callsWith()
  await calls.changeChat(GROUP, { pinned: true, archived: false, unread: true, mutedUntil: null }, REFERENCE)
  const key = { id: 'A1', fromMe: false, remoteJid: GROUP, participant: '77@lid' }
  const lastMessages = [{ key, messageTimestamp: 1_700_000_000 }]
  assert.deepEqual(log, [
    [GROUP, { archive: false, lastMessages }],
    [GROUP, { mute: null }],
    [GROUP, { pin: true }],
    [GROUP, { markRead: false, lastMessages }],
  ])
  const common = { kind: 'chat_settings', chat: GROUP, throughMs: 1_700_000_000_999, isInitial: false }
  assert.deepEqual(reports, [
    { ...common, archived: false },
    { ...common, mutedUntil: null },
    { ...common, pinned: true },
    { ...common, unread: true },
  ])
})

test('a refused setting is not reported, and those after it are not tried', async () => {
  const { calls, reports } = callsWith(async (modification) => {
    if ('mute' in modification) throw new NetworkError('refused', 'no', undefined, 400)
  })
  await assert.rejects(calls.changeChat(CHAT, { archived: true, mutedUntil: null, pinned: true }, null))
  assert.deepEqual(
    reports.map((report) => Object.keys(report).at(-1)),
    ['archived'],
  )
})

test('a cleared chat and a star are reported', async () => {
  const { calls, reports } = callsWith()
  await calls.clearChat(CHAT, null)
  await calls.starMessage(CHAT, { ...REFERENCE, chat: CHAT, participant: null, isOurs: true }, true)
  assert.deepEqual(reports, [
    { kind: 'chat_cleared', chat: CHAT, throughMs: 1_700_000_000_999, keepStarred: false },
    { kind: 'starred', chat: CHAT, messageId: 'A1', isOurs: true, starred: true },
  ])
})

test('older messages are requested at most once in half a minute, and 50 at a time', async () => {
  const { calls, log, time } = callsWith()
  await calls.requestHistory(CHAT, REFERENCE, 100)
  await calls.requestHistory(CHAT, REFERENCE, 100)
  assert.equal(log.length, 1)
  assert.deepEqual(
    (log as [number, object, number][]).map(([count, , at]) => [count, at]),
    [[50, REFERENCE.sentAtMs]],
  )
  await calls.requestHistory(CHAT, { ...REFERENCE, messageId: 'A0' }, 10)
  time.now += 30_000
  await calls.requestHistory(CHAT, REFERENCE, 100)
  assert.equal(log.length, 3)
})

test('labels and the labels of chats are changed and reported', async () => {
  const { calls, log, reports } = callsWith()
  const label = { labelId: '6', name: 'Paid', color: 3, deleted: false }
  await calls.saveLabel({ ...label, predefinedId: null })
  await calls.saveLabel({ ...label, predefinedId: 2 })
  await calls.labelChat(CHAT, '6', true)
  await calls.labelChat(CHAT, '6', false)
  const addLabel = { id: '6', name: 'Paid', color: 3, deleted: false }
  assert.deepEqual(log, [
    ['', { addLabel }],
    ['', { addLabel: { ...addLabel, predefinedId: 2 } }],
    [CHAT, { addChatLabel: { labelId: '6' } }],
    [CHAT, { removeChatLabel: { labelId: '6' } }],
  ])
  const ofChat = { kind: 'chat_label', chat: CHAT, labelId: '6', atMs: 1_700_000_000_000, isInitial: false }
  assert.deepEqual(reports, [
    { kind: 'label', ...label, predefinedId: null, isInitial: false },
    { kind: 'label', ...label, predefinedId: 2, isInitial: false },
    { ...ofChat, labeled: true },
    { ...ofChat, labeled: false },
  ])
})
