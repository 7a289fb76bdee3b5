import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeWAMessage, proto } from 'baileys'
import type { LibrarySocket } from '../library/library-socket.ts'
import { encodeArrival } from './arrivals.ts'
import { createInterpreter } from './interpret.ts'

const KNOWN: Record<string, string> = {
  '100@lid': '5511900000001@s.whatsapp.net',
  '5511900000002@s.whatsapp.net': '200@lid',
}

/** A session that knows two people, and that fails when it asks the network for others. */
const { interpret, interpretNow } = createInterpreter({
  settings: { downloadDispatcher: undefined, clock: () => 0, log: console },
  socket: {
    me: { id: '5511999999999:1@s.whatsapp.net', lid: '999:1@lid' },
    knownNamesOf: async (jids: readonly string[]) =>
      new Map(jids.flatMap((jid) => (KNOWN[jid] ? [[jid, KNOWN[jid]] as const] : []))),
    otherNameOf: async (jid: string) => assert.fail(`a request to the network for ${jid}`),
  } as unknown as LibrarySocket,
  options: { findSent: async () => undefined, findOriginals: async () => [], syncHistory: 'none' },
  onResent: () => undefined,
})

test('people whom a stranger names are resolved from what is stored, without a request to the network', async () => {
  const strangers = Array.from({ length: 300 }, (_, index) => `55119${10_000_000 + index}@s.whatsapp.net`)
  const mentionedJid = ['100@lid', ...strangers]
  const content = proto.Message.create({
    extendedTextMessage: {
      text: 'hello',
      contextInfo: { mentionedJid, stanzaId: 'QUOTED', participant: '5511977777777@s.whatsapp.net' },
    },
  })
  const attrs = { id: 'ID1', from: '5511900000002@s.whatsapp.net', t: '1', type: 'text' }
  const payload = encodeArrival({ attrs, plain: Buffer.from(encodeWAMessage(content)) })
  const [message] = (await interpret(payload)).messages
  assert.ok(message)
  assert.deepEqual(message.from, {
    jid: '5511900000002@s.whatsapp.net',
    lid: '200@lid',
    phone: '5511900000002',
    pushName: null,
  })
  assert.deepEqual(message.content.mentions, ['5511900000001@s.whatsapp.net', ...strangers])
})

test('a message is read before it is stored, and what the phone of the account transfers is read later', async () => {
  const from = '5511900000002@s.whatsapp.net'
  const plain = (content: proto.IMessage) => Buffer.from(encodeWAMessage(proto.Message.create(content)))
  const text = encodeArrival({ attrs: { id: 'ID1', from, t: '1' }, plain: plain({ conversation: 'hello' }) })
  assert.deepEqual(await interpretNow(text), await interpret(text))
  const { HISTORY_SYNC_NOTIFICATION } = proto.Message.ProtocolMessage.Type
  const notice = { protocolMessage: { type: HISTORY_SYNC_NOTIFICATION, historySyncNotification: {} } }
  const own = { id: 'ID2', from: '5511999999999@s.whatsapp.net', t: '1', category: 'peer' }
  assert.equal(await interpretNow(encodeArrival({ attrs: own, plain: plain(notice) })), undefined)
})

test('a reaction or a vote that refers to nothing is reported as invalid', async () => {
  const attrs = { id: 'ID3', from: '5511900000002@s.whatsapp.net', t: '1' }
  for (const content of [{ reactionMessage: { text: 'x' } }, { pollUpdateMessage: {} }]) {
    const plain = Buffer.from(encodeWAMessage(proto.Message.create(content)))
    const [message] = (await interpret(encodeArrival({ attrs, plain }))).messages
    assert.deepEqual([message?.type, message?.content.reason], ['undecryptable', 'invalid_content'])
  }
})
