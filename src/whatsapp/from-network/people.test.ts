import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANA, GROUP, ME, receive } from '../../../test/support/wire-messages.ts'
import type { PersonIds } from '../../network/message.ts'
import type { Envelope } from './envelope.ts'
import { idsOf } from './people.ts'

interface Case {
  name: string
  envelope: Partial<Envelope>
  chat: string
  from: PersonIds
}
const anaLid = ANA.lid ?? ''
const stranger = '300000000000009@lid'

const cases: Case[] = [
  { name: 'a chat by number', envelope: { chat: ANA.jid }, chat: ANA.jid, from: ANA },
  {
    name: 'a chat by number, from a second device',
    envelope: { chat: '5511900000002:12@s.whatsapp.net' },
    chat: ANA.jid,
    from: ANA,
  },
  { name: 'a chat by hidden identifier that is known', envelope: { chat: anaLid }, chat: ANA.jid, from: ANA },
  {
    name: 'a chat by hidden identifier, its number given in the message',
    envelope: { chat: stranger, chatAlt: '5521900000009@s.whatsapp.net' },
    chat: '5521900000009@s.whatsapp.net',
    from: { jid: '5521900000009@s.whatsapp.net', lid: stranger, phone: '5521900000009' },
  },
  {
    name: 'a chat by lid of an unknown person',
    envelope: { chat: stranger },
    chat: stranger,
    from: { jid: stranger, lid: stranger, phone: null },
  },
  {
    name: 'a group, the author by number',
    envelope: { chat: GROUP, participant: '5511900000002:3@s.whatsapp.net' },
    chat: GROUP,
    from: ANA,
  },
  {
    name: 'a group, the author by hidden identifier with the number given',
    envelope: { chat: GROUP, participant: stranger, participantAlt: '5521900000009@s.whatsapp.net' },
    chat: GROUP,
    from: { jid: '5521900000009@s.whatsapp.net', lid: stranger, phone: '5521900000009' },
  },
  {
    name: 'a group, where the alternative identifier of the chat names no person',
    envelope: { chat: GROUP, chatAlt: '999@s.whatsapp.net', participant: anaLid },
    chat: GROUP,
    from: ANA,
  },
  {
    name: 'a broadcast list, seen as a message from its author',
    envelope: {
      chat: '1700000000@broadcast',
      participant: stranger,
      chatAlt: '5521900000009@s.whatsapp.net',
    },
    chat: '5521900000009@s.whatsapp.net',
    from: { jid: '5521900000009@s.whatsapp.net', lid: stranger, phone: '5521900000009' },
  },
  {
    name: 'a status',
    envelope: { chat: 'status@broadcast', participant: ANA.jid },
    chat: 'status@broadcast',
    from: ANA,
  },
  {
    name: 'a channel',
    envelope: { chat: '120363@newsletter' },
    chat: '120363@newsletter',
    from: { jid: '120363@newsletter', lid: null, phone: null },
  },
  {
    name: 'our own message from another device, to a hidden identifier',
    envelope: { chat: anaLid, fromMe: true },
    chat: ANA.jid,
    from: ME,
  },
  {
    name: 'our own message, which has our own number instead of that of the chat',
    envelope: { chat: stranger, chatAlt: ME.jid, fromMe: true },
    chat: stranger,
    from: ME,
  },
  {
    name: 'a note to ourselves',
    envelope: { chat: ME.lid ?? '', chatAlt: ME.jid, fromMe: true },
    chat: ME.jid,
    from: ME,
  },
  {
    name: 'our own message in a group',
    envelope: { chat: GROUP, participant: ME.lid, fromMe: true },
    chat: GROUP,
    from: ME,
  },
  {
    name: 'a hosted account',
    envelope: { chat: '5521900000009:99@hosted', chatAlt: '300000000000009@hosted.lid' },
    chat: '5521900000009@s.whatsapp.net',
    from: { jid: '5521900000009@s.whatsapp.net', lid: stranger, phone: '5521900000009' },
  },
  { name: 'an old form of address', envelope: { chat: '5511900000002@c.us' }, chat: ANA.jid, from: ANA },
]

describe('who wrote, and where', () => {
  for (const { name, envelope, chat, from } of cases) {
    test(name, () => {
      const received = receive({ conversation: 'x' }, envelope)
      assert.equal(received.chat, chat)
      assert.deepEqual(received.from, { ...from, pushName: 'Ana' })
      // As it was, for a receipt.
      assert.deepEqual(received.addressedAs, {
        chat: envelope.chat,
        participant: envelope.participant ?? null,
      })
    })
  }

  test('the kind of an identifier is read from its form', () => {
    assert.deepEqual(idsOf('1@s.whatsapp.net'), { jid: '1@s.whatsapp.net', lid: null, phone: '1' })
    assert.deepEqual(idsOf('1@lid'), { jid: '1@lid', lid: '1@lid', phone: null })
    assert.deepEqual(idsOf(GROUP), { jid: GROUP, lid: null, phone: null })
  })
})
