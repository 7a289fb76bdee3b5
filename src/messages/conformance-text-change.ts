// Edits and deletions reach the list of chats, if they change the last message of their chat.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { findChat } from '../contacts/contact-queries.ts'
import { receivedMessage, reportOf } from '../receiving/conformance-arrivals.ts'
import type { NetworkReport, ReportedMessage } from '../receiving/report-store.ts'
import { accept, claim, SENT, settle } from '../sending/conformance-sends.ts'
import type { ClaimedSend } from '../sending/outbox.ts'
import { makeTenant, NOON, type Tenant } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import type { TextChange } from './rules-text-change.ts'

const ANA = '5511912345678@s.whatsapp.net'
const edit = (messageId: string, text: string, direction = 'incoming'): TextChange => ({
  messageId,
  direction,
  isDeletion: false,
  text,
})
const deletion = (messageId: string, direction = 'incoming'): TextChange => ({
  messageId,
  direction,
  isDeletion: true,
  text: null,
})

export function textChangeConformance({ engine, store: current }: Conformance): void {
  const begin = async () => {
    const store = current()
    return { store, tenant: await makeTenant(store) }
  }
  const change = (tenant: Tenant, id: string, textChange: TextChange): ReportedMessage =>
    receivedMessage(
      tenant,
      id,
      { kind: textChange.isDeletion ? 'delete' : 'edit' },
      { activity: null, textChange },
    )
  const record = (
    store: Store,
    tenant: Tenant,
    messages: ReportedMessage[],
    parts: Partial<NetworkReport> = {},
  ) => store.recordReports([reportOf(tenant, { messages, ...parts })])
  const shown = async (store: Store, { instanceId }: Tenant) => {
    const chat = await findChat(store.db, instanceId, ANA)
    return [chat?.last_id, chat?.last_message_text, chat?.last_message_deleted]
  }
  const chatEvents = async (store: Store, { instanceId }: Tenant) => {
    const rows = await store.db
      .selectFrom('events')
      .select('data')
      .where('instance_id', '=', instanceId)
      .where('name', '=', 'chats.update')
      .orderBy('sequence')
      .execute()
    return rows.map(({ data }) => (JSON.parse(data) as { lastMessageText: string | null }).lastMessageText)
  }

  describe('changes of a text', () => {
    test('an edit of the last message changes its text in the list, with an event', async () => {
      const { store, tenant } = await begin()
      await record(store, tenant, [receivedMessage(tenant, 'one')])
      assert.deepEqual(await shown(store, tenant), ['one', 'one', 0])
      await record(store, tenant, [change(tenant, 'e1', edit('one', 'better'))])
      assert.deepEqual(await shown(store, tenant), ['one', 'better', 0])
      assert.deepEqual(await chatEvents(store, tenant), ['one', 'better'])
    })

    test('a deleted text leaves the list, and no later edit brings it back', async () => {
      const { store, tenant } = await begin()
      await record(store, tenant, [receivedMessage(tenant, 'one')])
      await record(store, tenant, [change(tenant, 'd1', deletion('one'))])
      assert.deepEqual(await shown(store, tenant), ['one', null, 1])
      await record(store, tenant, [change(tenant, 'e1', edit('one', 'back'))])
      assert.deepEqual(await shown(store, tenant), ['one', null, 1])
      await record(store, tenant, [receivedMessage(tenant, 'two', { created_at: NOON + 5000 })])
      assert.deepEqual(await shown(store, tenant), ['two', 'two', 0])
      assert.deepEqual(await chatEvents(store, tenant), ['one', null, 'two'])
    })

    test('a change of an earlier message, of another direction or of another chat leaves the list as it is', async () => {
      const { store, tenant } = await begin()
      const other = receivedMessage(tenant, 'three', { chat: 'b@s.whatsapp.net' })
      const last = receivedMessage(tenant, 'two', { created_at: NOON + 5000 })
      await record(store, tenant, [receivedMessage(tenant, 'one'), last, other])
      const changes = [
        deletion('one'),
        deletion('two', 'outgoing'),
        edit('three', 'x'),
        deletion('never seen'),
      ]
      for (const [index, each] of changes.entries())
        await record(store, tenant, [change(tenant, `c${index}`, each)])
      assert.deepEqual(await shown(store, tenant), ['two', 'two', 0])
    })

    test('a change that is delivered twice changes the list once; one of a history has no event', async () => {
      const { store, tenant } = await begin()
      await record(store, tenant, [receivedMessage(tenant, 'one')])
      const once = () => change(tenant, 'e1', edit('one', 'better'))
      await record(store, tenant, [once(), once()])
      await record(store, tenant, [change(tenant, 'e2', edit('one', 'best'))])
      await record(store, tenant, [once()])
      assert.deepEqual(await shown(store, tenant), ['one', 'best', 0])
      await record(store, tenant, [change(tenant, 'd1', deletion('one'))], { isSilent: true })
      assert.deepEqual(await shown(store, tenant), ['one', null, 1])
      assert.deepEqual(await chatEvents(store, tenant), ['one', 'better', 'best'])
    })

    test('a message and its change in one batch, and a late message from the history, in their order', async () => {
      const { store, tenant } = await begin()
      await store.recordReports([
        reportOf(tenant, { messages: [receivedMessage(tenant, 'one')] }),
        reportOf(tenant, { messages: [change(tenant, 'd1', deletion('one'))] }),
      ])
      const old = receivedMessage(tenant, 'old', { created_at: NOON - 60_000, historical: 1 })
      await record(store, tenant, [old], { isSilent: true })
      assert.deepEqual(await shown(store, tenant), ['one', null, 1])
    })

    test('a sent edit counts when it is settled, and once', async () => {
      const { store, tenant } = await begin()
      const messageId = await accept(store, tenant, ANA, '{"message":"hi"}')
      await accept(store, tenant, ANA, '{"message":"better"}')
      const [first, second] = (await claim(store, { runLength: 2 })) as [ClaimedSend, ClaimedSend]
      await settle(store, first, SENT, NOON, false)
      assert.deepEqual(await shown(store, tenant), [messageId, 'hi', 0])
      const textChange = edit(messageId, 'better', 'outgoing')
      const outcome = { kind: 'sent', chat: ANA, text: 'better', isSilent: true, textChange } as const
      assert.equal(await settle(store, second, outcome, NOON + 1), true)
      assert.equal(await settle(store, second, outcome, NOON + 2), false)
      assert.deepEqual(await shown(store, tenant), [messageId, 'better', 0])
      assert.deepEqual(await chatEvents(store, tenant), ['hi', 'better'])
    })

    /** A crash may have ended the process between the network's answer and the settlement, which then never happens. */
    test('a receipt for a deletion that was never settled removes the text', async () => {
      const { store, tenant } = await begin()
      const messageId = await accept(store, tenant, ANA, '{"message":"hi"}')
      const [first] = (await claim(store)) as [ClaimedSend]
      await settle(store, first, SENT)
      const wanted = tenant.send({
        kind: 'delete',
        content: JSON.stringify({ target: { messageId, direction: 'outgoing' } }),
      })
      await store.acceptSend(wanted)
      await store.recordProgress({
        instanceId: tenant.instanceId,
        messageId: wanted.messageId,
        chats: [ANA],
        networkChat: null,
        before: ['queued', 'sending', 'sent'],
        status: 'delivered',
        timeColumn: 'delivered_at',
        atMs: NOON + 1000,
        now: NOON + 1000,
      })
      assert.deepEqual(await shown(store, tenant), [messageId, null, 1])
    })

    test('the migration finds the last messages of stored chats, and follows changes that older programs did not', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      const stored = (id: string, jid: string, kind = 'text', content = {}) =>
        receivedMessage(
          tenant,
          id,
          { chat: jid, kind, content: JSON.stringify(content) },
          {
            activity: kind === 'text' ? { text: id, unread: 1 } : null,
          },
        )
      const about = (messageId: string) => ({ target: { messageId, direction: 'incoming' }, text: 'after' })
      await record(store, tenant, [
        stored('plain', 'a@s.whatsapp.net'),
        stored('edited', 'b@s.whatsapp.net'),
        stored('deleted', 'c@s.whatsapp.net'),
        stored('e', 'b@s.whatsapp.net', 'edit', about('edited')),
        stored('d', 'c@s.whatsapp.net', 'delete', about('deleted')),
        stored('r', 'a@s.whatsapp.net', 'reaction', about('plain')),
      ])
      await store.db
        .updateTable('chats')
        .set({ last_message_row_id: null })
        .where('instance_id', '=', instanceId)
        .execute()
      const file = new URL(`../../migrations/${store.engine}/0036-last-messages.sql`, import.meta.url)
      const statements = (await readFile(file, 'utf8')).split(';').filter((text) => /^update/m.test(text))
      assert.equal(statements.length, 3, engine.name)
      for (const statement of statements) await sql.raw(statement).execute(store.db)
      const chats = ['a', 'b', 'c'].map((name) => findChat(store.db, instanceId, `${name}@s.whatsapp.net`))
      assert.deepEqual(
        (await Promise.all(chats)).map((chat) => [
          chat?.last_id,
          chat?.last_message_text,
          chat?.last_message_deleted,
        ]),
        [
          ['plain', 'plain', 0],
          ['edited', 'after', 0],
          ['deleted', null, 1],
        ],
      )
    })
  })
}
