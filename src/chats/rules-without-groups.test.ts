// Messages and chats of groups are left out, those of people stay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReceivedMessage } from '../network/message.ts'
import { withoutGroups } from './rules.ts'

test('only messages and chats of groups are left out', () => {
  const [ofGroup, ofPerson] = ['120363000000000000@g.us', '5511912345678@s.whatsapp.net'] as const
  const message = (chat: string) => ({ chat }) as ReceivedMessage
  const chat = (jid: string) => ({ jid, name: null, unreadCount: 0 })
  const read = {
    messages: [message(ofGroup), message(ofPerson)],
    chats: [chat(ofPerson), chat(ofGroup)],
    people: [],
    isHistory: true,
  }
  assert.deepEqual(withoutGroups(read), {
    messages: [message(ofPerson)],
    chats: [chat(ofPerson)],
    people: [],
    isHistory: true,
  })
})
