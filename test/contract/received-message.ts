// A received message as the network reports it, for contract tests.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { findInstanceById } from '../../src/instances/instance-queries.ts'
import type { ReceivedMessage } from '../../src/network/message.ts'
import { recordArrival } from '../../src/receiving/received.ts'
import type { Fixture } from './fixture.ts'

const ANA = { jid: '5511912345678@s.whatsapp.net', lid: null, phone: '5511912345678', pushName: 'Ana' }

/** A message with a file, as the network reports it. */
export async function receive(
  { store, clock, instance }: Pick<Fixture, 'store' | 'clock' | 'instance'>,
  media: Partial<NonNullable<ReceivedMessage['media']>> | null,
  id = `3A${randomBytes(9).toString('hex').toUpperCase()}`,
): Promise<string> {
  const now = clock.now()
  await store.db
    .insertInto('inbox')
    .values({
      instance_id: instance.id,
      name: id,
      sealed: Buffer.from('x'),
      received_at: now,
      processed_at: null,
    })
    .execute()
  const file = {
    kind: 'document' as const,
    mimetype: 'application/pdf',
    fileName: 'bill.pdf',
    sizeBytes: 3,
    seconds: null,
    width: null,
    height: null,
    sha256: null,
    reference: { type: 'document' },
  }
  const message: ReceivedMessage = {
    id,
    chat: ANA.jid,
    addressedAs: { chat: ANA.jid, participant: null },
    from: ANA,
    fromMe: false,
    sentAtMs: now,
    type: media ? 'document' : 'text',
    text: 'see',
    media: media ? { ...file, ...media } : null,
    quoted: null,
    interactiveReplyId: null,
    content: {},
  }
  // From the message history, so that the file is not downloaded in advance.
  const report = { messages: [message], people: [], chats: [], isHistory: true }
  const receiver = await findInstanceById(store.db, instance.id)
  assert.ok(receiver)
  await recordArrival({ store, clock: clock.now, wakeSending: () => undefined }, receiver, {
    name: id,
    read: report,
  })
  return id
}

/** The sender of a received message deletes it for everyone. */
export async function receiveDeletion(
  { store, clock, instance }: Pick<Fixture, 'store' | 'clock' | 'instance'>,
  messageId: string,
): Promise<void> {
  const id = `3A${randomBytes(9).toString('hex').toUpperCase()}`
  const now = clock.now()
  await store.db
    .insertInto('inbox')
    .values({
      instance_id: instance.id,
      name: id,
      sealed: Buffer.from('x'),
      received_at: now,
      processed_at: null,
    })
    .execute()
  const deletion: ReceivedMessage = {
    id,
    chat: ANA.jid,
    addressedAs: { chat: ANA.jid, participant: null },
    from: ANA,
    fromMe: false,
    sentAtMs: now,
    type: 'delete',
    text: null,
    media: null,
    quoted: null,
    interactiveReplyId: null,
    target: { messageId, author: null, isOurs: null },
    content: {},
  }
  const receiver = await findInstanceById(store.db, instance.id)
  assert.ok(receiver)
  const report = { messages: [deletion], people: [], chats: [], isHistory: false }
  await recordArrival({ store, clock: clock.now, wakeSending: () => undefined }, receiver, {
    name: id,
    read: report,
  })
}

/** A message from one instance of the account to another: the same id, once outgoing and once incoming. */
export async function receiveOwn(
  fixture: Fixture,
): Promise<{ messageId: string; sender: string; receiver: string }> {
  const { mine, instance: sender } = fixture
  const instance = await fixture.openInstance(mine)
  const body = { instanceName: sender.name, number: '5511912345678', message: 'to a number of our own' }
  const { messageId } = (await mine.call('sendText', { body })).json
  await receive({ ...fixture, instance }, {}, messageId)
  return { messageId, sender: sender.name, receiver: instance.name }
}
