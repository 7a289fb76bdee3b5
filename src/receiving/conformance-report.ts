// Reports of the network: everything that a report says is stored once, with its events, in the order of the reports.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findChat, insertContact } from '../contacts/contact-queries.ts'
import { findNames } from '../contacts/name-queries.ts'
import { findKnownNumber, upsertKnownNumber } from '../contacts/number-queries.ts'
import { findLid } from '../contacts/reported-queries.ts'
import { findArrival } from '../instances/session-key-queries.ts'
import { findTargets } from '../messages/change-queries.ts'
import {
  makeInstance,
  makeTenant,
  NOON,
  removeInstance,
  type Tenant,
  times,
} from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { receivedMessage, reportOf } from './conformance-arrivals.ts'
import type { NetworkReport, ReportedMessage } from './report-store.ts'

const ANA = '5511912345678@s.whatsapp.net'
const PERSON = { jid: ANA, lid: '77@lid', phone: '5511912345678', pushName: 'Ana' }
const at = (name: string, isProcessed = true) => ({ arrival: { name, isProcessed } })

async function recordOne(store: Store, report: NetworkReport): Promise<boolean | undefined> {
  const [isRecorded] = await store.recordReports([report])
  return isRecorded
}

export function reportConformance({ store: current }: Conformance): void {
  const eventsOf = (store: Store, { instanceId }: Tenant): Promise<{ name: string; data: string }[]> =>
    store.db
      .selectFrom('events')
      .select(['name', 'data'])
      .where('instance_id', '=', instanceId)
      .orderBy('sequence')
      .execute()
  const namesOf = async (store: Store, tenant: Tenant) =>
    (await eventsOf(store, tenant)).map(({ name }) => name)
  const storedIds = async (store: Store, { instanceId }: Tenant) => {
    const rows = await store.db
      .selectFrom('messages')
      .select('id')
      .where('instance_id', '=', instanceId)
      .orderBy('row_id')
      .execute()
    return rows.map(({ id }) => id)
  }
  const arrive = (store: Store, { instanceId }: Tenant, names: string[]) =>
    store.saveSession({
      instanceId,
      fence: 0,
      keys: [],
      arrivals: names.map((name) => ({ name, sealed: new Uint8Array([1]), receivedAt: NOON })),
    })
  const secretsOf = async (store: Store, { instanceId }: Tenant, id: string) =>
    (await findTargets(store.db, instanceId, id)).map(({ secret }) => secret)
  const begin = async (names: string[] = []) => {
    const store = current()
    const tenant = await makeTenant(store)
    if (names.length > 0) assert.equal(await arrive(store, tenant, names), true)
    return { store, tenant }
  }

  describe('reports of the network', () => {
    test('reports of one call are stored in their order, all or nothing; one that is processed already is left out', async () => {
      const { store, tenant } = await begin(['a', 'b', 'c'])
      const report = (name: string, id: string) =>
        reportOf(tenant, { ...at(name), messages: [receivedMessage(tenant, id)] })
      await recordOne(store, report('b', 'before'))
      const reports = [report('a', 'one'), report('b', 'again'), report('c', 'two')]
      assert.deepEqual(await store.recordReports(reports), [true, false, true])
      assert.deepEqual(await storedIds(store, tenant), ['before', 'one', 'two'])
      await arrive(store, tenant, ['d', 'e'])
      const bad = { ...report('e', 'bad'), messages: [receivedMessage(tenant, 'bad', { account_id: -1 })] }
      await assert.rejects(store.recordReports([report('d', 'good'), bad]))
      assert.deepEqual(await storedIds(store, tenant), ['before', 'one', 'two'])
      assert.equal((await findArrival(store.db, tenant.instanceId, 'd'))?.processed_at, null)
    })

    test('people, messages, chat and events are stored, and the arrival is processed', async () => {
      const { store, tenant } = await begin(['first'])
      const { instanceId } = tenant
      await upsertKnownNumber(store.db, { instanceId, number: '5511912345678', jid: null, now: NOON })
      const message = receivedMessage(
        tenant,
        'one',
        { content: '{"a":"\u2028"}' },
        { from: PERSON, wantsFile: true },
      )
      const report = reportOf(tenant, { ...at('first'), numbers: ['5511912345678'], messages: [message] })
      assert.equal(await recordOne(store, report), true)
      assert.deepEqual(await storedIds(store, tenant), ['one'])
      const chat = await findChat(store.db, instanceId, ANA)
      assert.deepEqual(
        [chat?.push_name, chat?.unread_count, chat?.last_message_text, chat?.last_message_at, chat?.is_group],
        ['Ana', 1, 'one', NOON, 0],
      )
      assert.equal(await findLid(store.db, instanceId, '5511912345678'), '77@lid')
      assert.equal(await findKnownNumber(store.db, instanceId, '5511912345678'), undefined)
      assert.equal((await findArrival(store.db, instanceId, 'first'))?.processed_at, NOON)
      assert.deepEqual(await namesOf(store, tenant), ['contacts.update', 'messages.upsert', 'chats.update'])
      const files = await store.db
        .selectFrom('received_files')
        .select('status')
        .where('instance_id', '=', instanceId)
        .execute()
      assert.deepEqual(files, [{ status: 'wanted' }])
    })

    test('the lid that was reported last for a number counts, and one that is repeated is not written again', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      const [ana, bia] = ['5511912345678', '5511900000000']
      /** Whose lids are the latest after a report of the minute, and the minute of which 77@lid was written. */
      async function after(minute: number, lid: string, phone: string) {
        const people = [{ jid: lid, lid, phone, pushName: null }]
        await recordOne(store, reportOf(tenant, { now: NOON + minute, people }))
        const row = await store.db
          .selectFrom('addresses')
          .select('updated_at')
          .where('instance_id', '=', instanceId)
          .where('lid', '=', '77@lid')
          .executeTakeFirstOrThrow()
        const lids = await Promise.all([ana, bia].map((each) => findLid(store.db, instanceId, each)))
        return [...lids, row.updated_at - NOON]
      }
      assert.deepEqual(await after(0, '77@lid', ana), ['77@lid', null, 0])
      assert.deepEqual(await after(1, '77@lid', ana), ['77@lid', null, 0])
      assert.deepEqual(await after(2, '78@lid', ana), ['78@lid', null, 0])
      assert.deepEqual(await after(3, '77@lid', ana), ['77@lid', null, 3])
      assert.deepEqual(await after(4, '77@lid', bia), ['78@lid', '77@lid', 4])
    })

    test('a username is stored with the lid, and a person who takes over a name is the only one with it', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      const named = (lid: string, username: string) =>
        recordOne(
          store,
          reportOf(tenant, { people: [{ jid: lid, lid, phone: null, pushName: null, username }] }),
        )
      const usernames = async () => {
        const chats = ['77@lid', '78@lid'].map((chat) => ({ instanceId, chat }))
        const namesOf = await findNames(store.db, chats)
        return chats.map((chat) => namesOf(chat)?.username)
      }
      await named('77@lid', 'ana')
      await named('77@lid', 'ana.s')
      assert.deepEqual(await usernames(), ['ana.s', null])
      await named('78@lid', 'ana.s')
      assert.deepEqual(await usernames(), [null, 'ana.s'])
    })

    test('a report of a processed arrival, of an unknown one and of a deleted instance writes nothing', async () => {
      const { store, tenant } = await begin(['first'])
      const report = (name: string, id: string) =>
        reportOf(tenant, { ...at(name), messages: [receivedMessage(tenant, id)] })
      const both = await Promise.all([
        recordOne(store, report('first', 'one')),
        recordOne(store, report('first', 'two')),
      ])
      assert.deepEqual(both, [true, false])
      assert.equal(await recordOne(store, report('first', 'three')), false)
      assert.equal(await recordOne(store, report('never seen', 'four')), false)
      assert.deepEqual(await storedIds(store, tenant), ['one'])
      const other: Tenant = { ...tenant, instanceId: await makeInstance(store, tenant.accountId) }
      await removeInstance(store.db, other.instanceId)
      assert.equal(await recordOne(store, reportOf(other, { people: [PERSON] })), false)
    })

    test('the secret of a message is found with it; a message without one has none', async () => {
      const { store, tenant } = await begin()
      const messages = [
        receivedMessage(tenant, 'one', { secret: 'c2VjcmV0' }),
        receivedMessage(tenant, 'two'),
      ]
      await recordOne(store, reportOf(tenant, { messages }))
      assert.deepEqual(await secretsOf(store, tenant, 'one'), ['c2VjcmV0'])
      assert.deepEqual(await secretsOf(store, tenant, 'two'), [null])
    })

    test('an arrival with several reports is processed with the last', async () => {
      const { store, tenant } = await begin(['long'])
      const part = (id: string, isLast: boolean) =>
        recordOne(store, reportOf(tenant, { ...at('long', isLast), messages: [receivedMessage(tenant, id)] }))
      assert.equal(await part('one', false), true)
      assert.equal((await findArrival(store.db, tenant.instanceId, 'long'))?.processed_at, null)
      assert.deepEqual(await Promise.all([part('two', false), part('three', true)]), [true, true])
      assert.equal((await findArrival(store.db, tenant.instanceId, 'long'))?.processed_at, NOON)
      assert.deepEqual(await storedIds(store, tenant), ['one', 'two', 'three'])
    })

    test('a message that is delivered twice is stored, counted and reported once, also within a batch', async () => {
      const { store, tenant } = await begin(['a', 'b', 'c'])
      const report = (name: string) =>
        reportOf(tenant, {
          ...at(name),
          messages: [receivedMessage(tenant, 'same', {}, { wantsFile: true })],
        })
      await Promise.all(['a', 'b'].map((name) => recordOne(store, report(name))))
      assert.equal(await recordOne(store, report('c')), true)
      assert.equal((await findChat(store.db, tenant.instanceId, ANA))?.unread_count, 1)
      assert.deepEqual(await namesOf(store, tenant), ['messages.upsert', 'chats.update'])
    })

    test('the content of an undecryptable message takes its place once, with its events, and is not counted again', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      const record = (...messages: ReportedMessage[]) => recordOne(store, reportOf(tenant, { messages }))
      const unreadable = receivedMessage(tenant, 'one', { kind: 'undecryptable' })
      const content = { content: '{"text":"hello"}', secret: 'c2VjcmV0', media_reference: '{}' }
      const readable = () =>
        receivedMessage(tenant, 'one', { kind: 'image', ...content }, { wantsFile: true })
      await record(unreadable)
      await record(unreadable)
      assert.deepEqual(await namesOf(store, tenant), ['messages.upsert', 'chats.update'])
      await record(readable(), readable())
      await record(readable())
      await record(unreadable)
      const rows = await store.db
        .selectFrom('messages')
        .selectAll()
        .where('instance_id', '=', instanceId)
        .execute()
      assert.deepEqual(
        rows.map((row) => [row.id, row.kind, row.content, row.secret]),
        [['one', 'image', '{"text":"hello"}', 'c2VjcmV0']],
      )
      assert.deepEqual(await namesOf(store, tenant), [
        'messages.upsert',
        'chats.update',
        'messages.upsert',
        'chats.update',
      ])
      assert.equal((await findChat(store.db, instanceId, ANA))?.unread_count, 1)
      const files = store.db
        .selectFrom('received_files')
        .select('status')
        .where('instance_id', '=', instanceId)
      assert.deepEqual(await files.execute(), [{ status: 'wanted' }])
    })

    test('a silent report causes no event, and the history does not become the last message', async () => {
      const { store, tenant } = await begin()
      await recordOne(store, reportOf(tenant, { messages: [receivedMessage(tenant, 'new')] }))
      const before = (await namesOf(store, tenant)).length
      const old = receivedMessage(
        tenant,
        'old',
        { created_at: NOON - 60_000 },
        { from: PERSON, events: [], activity: { text: 'old', unread: 0 } },
      )
      await recordOne(store, reportOf(tenant, { isSilent: true, messages: [old], people: [PERSON] }))
      assert.equal((await namesOf(store, tenant)).length, before)
      const chat = await findChat(store.db, tenant.instanceId, ANA)
      assert.deepEqual([chat?.last_message_text, chat?.unread_count, chat?.push_name], ['new', 1, 'Ana'])
    })

    test('a new name reaches the contact and its search, with one event; the same name again has none', async () => {
      const { store, tenant } = await begin()
      const named = (pushName: string) => reportOf(tenant, { people: [{ ...PERSON, pushName }] })
      await recordOne(store, reportOf(tenant, { chats: [{ jid: ANA, name: 'Book', unreadCount: 0 }] }))
      const chat = await findChat(store.db, tenant.instanceId, ANA)
      await insertContact(store.db, {
        account_id: tenant.accountId,
        instance_id: tenant.instanceId,
        chat_id: chat?.id as number,
        name: 'Ana B',
        phone: PERSON.phone,
        jid: ANA,
        is_group: 0,
        assigned_user_id: null,
        assigned_department_id: null,
        funnel_stage_id: null,
        notes: null,
        custom_data: '{}',
        sort_name: 'ana b',
        search_text: 'old',
        created_at: NOON,
        updated_at: NOON,
      })
      await Promise.all([recordOne(store, named('Anna')), recordOne(store, named('Ana'))])
      await recordOne(store, named('Ana'))
      const events = (await eventsOf(store, tenant)).filter(({ name }) => name === 'contacts.update')
      assert.deepEqual(
        events.map(({ data }) => [JSON.parse(data).name, JSON.parse(data).person.pushName]),
        [['Ana B', 'Ana']],
      )
      const { search_text } = await store.db
        .selectFrom('contacts')
        .select('search_text')
        .where('jid', '=', ANA)
        .executeTakeFirstOrThrow()
      assert.equal(search_text, `ana b\n5511912345678\n${ANA}\nbook\nana`)
    })

    test('many reports in one batch: every message once and in order, and one change per chat', async () => {
      const { store, tenant } = await begin()
      const ids = times(60, (index) => `m${index}`)
      await Promise.all(
        ids.map((id, index) =>
          recordOne(
            store,
            reportOf(tenant, { messages: [receivedMessage(tenant, id, { created_at: NOON + index })] }),
          ),
        ),
      )
      assert.deepEqual(await storedIds(store, tenant), ids)
      const chat = await findChat(store.db, tenant.instanceId, ANA)
      assert.deepEqual([chat?.unread_count, chat?.last_message_text], [60, 'm59'])
      const names = await namesOf(store, tenant)
      assert.equal(names.filter((name) => name === 'messages.upsert').length, 60)
      assert.ok(names.filter((name) => name === 'chats.update').length < 10, names.join())
      const updates = (await eventsOf(store, tenant)).filter(({ name }) => name === 'chats.update')
      assert.equal(JSON.parse(updates.at(-1)?.data ?? '{}').unreadCount, 60)
    })

    test('a batch leaves the same chats as the same reports one by one', async () => {
      const { store } = await begin()
      const step = fc.oneof(
        fc.record({ jid: fc.constantFrom(ANA, 'b@s.whatsapp.net'), unread: fc.constantFrom(0, 1) }),
        fc.record({ jid: fc.constantFrom(ANA, 'b@s.whatsapp.net'), read: fc.nat(3) }),
      )
      const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const [batched, single] = [await makeTenant(store), await makeTenant(store)]
        const reports = (tenant: Tenant): NetworkReport[] =>
          steps.map((each, index) =>
            'read' in each
              ? reportOf(tenant, { chats: [{ jid: each.jid, name: `n${index}`, unreadCount: each.read }] })
              : reportOf(tenant, {
                  messages: [
                    receivedMessage(
                      tenant,
                      `m${index}`,
                      { chat: each.jid, created_at: NOON + index * 400 },
                      { activity: { text: `m${index}`, unread: each.unread } },
                    ),
                  ],
                }),
          )
        await Promise.all(reports(batched).map((report) => recordOne(store, report)))
        for (const report of reports(single)) await recordOne(store, report)
        const chats = ({ instanceId }: Tenant) =>
          store.db
            .selectFrom('chats')
            .select(['jid', 'name', 'unread_count', 'last_message_text', 'last_message_at', 'active_at'])
            .where('instance_id', '=', instanceId)
            .orderBy('jid')
            .execute()
        assert.deepEqual(await chats(batched), await chats(single))
      })
      await fc.assert(property, { numRuns: 25, seed: 1 })
    })
  })
}
