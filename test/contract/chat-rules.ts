// Chats of an instance, for the contract tests of calls about chats.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as reports from '../../src/chats/chat-reports.ts'
import { recordChatLabel, recordLabel } from '../../src/chats/label-reports.ts'
import { ensureChat } from '../../src/contacts/contact-queries.ts'
import type { RouteId } from '../../src/contract/routes.ts'
import { findInstanceById } from '../../src/instances/instance-queries.ts'
import type { ChatReport } from '../../src/network/chats.ts'
import type { ReceivedMessage } from '../../src/network/message.ts'
import { recordArrival } from '../../src/receiving/received.ts'
import type { Gateway } from '../support/gateway.ts'
import type { Fixture } from './fixture.ts'
import { sampleCall } from './group-rules.ts'

export const ANA = '5511912345678'
export const CHAT = `${ANA}@s.whatsapp.net`

type Target = Pick<Gateway, 'store' | 'clock'>

/** The chat of the sample calls. */
export const storeChat = async ({ store, clock }: Target, instanceId: number, jid = CHAT): Promise<void> =>
  void (await ensureChat(store.db, { instanceId, jid, isGroup: jid.endsWith('@g.us'), now: clock.now() }))

/** As a session reports a change before it answers. */
export async function report({ store, clock }: Target, instanceId: number, given: ChatReport): Promise<void> {
  const deps = { store, clock: clock.now }
  if (given.kind === 'chat_settings') return reports.recordChatSettings(deps, instanceId, given)
  if (given.kind === 'chat_cleared') return reports.recordClearedChat(deps, instanceId, given)
  if (given.kind === 'label') return recordLabel(deps, instanceId, given)
  if (given.kind === 'chat_label') return recordChatLabel(deps, instanceId, given)
  return reports.recordStar(deps, instanceId, given)
}

/** Texts of Ana, received one after the other, or as a history. */
export async function receiveTexts(
  { store, clock, instance }: Pick<Fixture, 'store' | 'clock' | 'instance'>,
  ids: string[],
  { isHistory = false, sentAtMs = clock.now() }: { isHistory?: boolean; sentAtMs?: number } = {},
): Promise<void> {
  const receiver = await findInstanceById(store.db, instance.id)
  assert.ok(receiver)
  for (const id of ids) {
    const row = { instance_id: instance.id, name: id, sealed: Buffer.from('-'), received_at: clock.now() }
    await store.db.insertInto('inbox').values(row).execute()
    const message: ReceivedMessage = {
      id,
      chat: CHAT,
      addressedAs: { chat: CHAT, participant: null },
      from: { jid: CHAT, lid: null, phone: ANA, pushName: 'Ana' },
      fromMe: false,
      sentAtMs,
      type: 'text',
      text: id,
      media: null,
      quoted: null,
      interactiveReplyId: null,
      content: {},
    }
    const read = { messages: [message], people: [], chats: [], isHistory }
    await recordArrival({ store, clock: clock.now, wakeSending: () => undefined }, receiver, {
      name: id,
      read,
    })
  }
}

export function unknownChatRule(fixture: () => Promise<Fixture>, id: RouteId): void {
  const call = sampleCall(fixture, id)
  test('404 when the instance has no such chat', async () => {
    const running = await fixture()
    const { name } = await running.openInstance(running.mine)
    const input = { instanceName: name, chat: '5511900000000@s.whatsapp.net' }
    const answer = await call(id === 'updateChat' ? { body: { ...input, pinned: true } } : { query: input })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'chat_not_found'])
  })
}
