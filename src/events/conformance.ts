// The event log: numbered without gaps, in the order of commits, with a delivery for every webhook that wants an event.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chatIds, payloadOf } from '../chats/rules.ts'
import { EVENT_NAMES } from '../contract/events.ts'
import { accept, claim, SENT, settle } from '../sending/conformance-sends.ts'
import type { ClaimedSend } from '../sending/outbox.ts'
import { makeInstance, makeTenant, NOON, type Tenant, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { append, change, deliveriesOf, makeHook } from '../webhooks/conformance-webhooks.ts'
import { replayEvents } from '../webhooks/delivery-queries.ts'
import { type RouteFilter, wantsEvent } from './rules.ts'
import type { NewEvent } from './rules-payloads.ts'
import { type EventRoute, NO_ROUTE } from './rules-route.ts'

const NO_FILTER: RouteFilter = { chats: 'all', senders: null, direction: null, history: false }

const logOf = (store: Store, { accountId }: Pick<Tenant, 'accountId'>) =>
  store.db.selectFrom('events').selectAll().where('account_id', '=', accountId).orderBy('position').execute()

export function eventConformance({ store: current }: Conformance): void {
  describe('the event log', () => {
    test('numbers count up without gaps per instance, and per account over its instances', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const other = await makeInstance(store, tenant.accountId)
      const ids = [tenant.instanceId, other, tenant.instanceId, other, tenant.instanceId]
      await Promise.all([
        append(
          store,
          ids.map((id) => change(id)),
        ),
        ...times(20, (n) => append(store, [change(n % 2 === 0 ? other : tenant.instanceId)])),
      ])
      const log = await logOf(store, tenant)
      assert.deepEqual(
        log.map((row) => row.position),
        times(25, (n) => n + 1),
      )
      for (const id of [tenant.instanceId, other]) {
        const own = log.filter((row) => row.instance_id === id)
        assert.deepEqual(
          own.map((row) => row.sequence),
          own.map((_row, index) => index + 1),
        )
      }
    })

    test('events of people get the names that are stored, as the rule makes them', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const { instanceId } = tenant
      const [ana, lid] = ['5511912345678', '77@lid']
      const jid = `${ana}@s.whatsapp.net`
      const at = { instance_id: instanceId, updated_at: NOON }
      const read = async () => (await logOf(store, tenant)).map(({ data }) => JSON.parse(data))
      const said = (chat: string): NewEvent => ({
        ...change(instanceId),
        ...payloadOf(chat, { text: '"quoted" \u2028' }),
      })
      const chats = [jid, lid, '1203@g.us', 'status@broadcast', '5511900000000@s.whatsapp.net']
      await append(store, chats.map(said))
      await store.db
        .insertInto('addresses')
        .values([
          { ...at, lid: '76@lid', phone: ana, updated_at: NOON - 1 },
          { ...at, lid, phone: ana },
        ])
        .execute()
      await append(store, chats.map(said))
      await store.db
        .insertInto('usernames')
        .values({ ...at, lid, username: 'ana "s" ñ' })
        .execute()
      await append(store, chats.map(said))
      const known = (chat: string, turn: number) => ({
        lid: chat === jid && turn > 0 ? lid : null,
        username: turn === 2 && (chat === jid || chat === lid) ? 'ana "s" ñ' : null,
      })
      assert.deepEqual(
        await read(),
        [0, 1, 2].flatMap((turn) =>
          chats.map((chat) => Object.assign(chatIds(chat, known(chat, turn)), { text: '"quoted" \u2028' })),
        ),
      )
    })

    test('an accepted send has the names of its chat', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const { instanceId } = tenant
      const row = { instance_id: instanceId, lid: '77@lid', phone: '5511912345678', updated_at: NOON }
      await store.db.insertInto('addresses').values(row).execute()
      await accept(store, tenant, '5511912345678@s.whatsapp.net', '{}')
      const [event] = await logOf(store, tenant)
      const { chat, number, lid, username, groupJid } = JSON.parse(event?.data ?? '')
      assert.deepEqual(
        [chat, number, lid, username, groupJid],
        ['5511912345678@s.whatsapp.net', '5511912345678', '77@lid', null, null],
      )
    })

    test('a transaction that is rolled back leaves no gap', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await append(store, [change(tenant.instanceId)])
      const failed = store.transaction(async (tx) => {
        await store.appendEvents(tx, [change(tenant.instanceId, 'never')])
        throw new Error('not after all')
      })
      await assert.rejects(failed, /not after all/)
      await append(store, [change(tenant.instanceId)])
      const log = await logOf(store, tenant)
      assert.deepEqual(
        log.map((row) => [row.sequence, row.position, row.data]),
        [
          [1, 1, '{"text":"hi"}'],
          [2, 2, '{"text":"hi"}'],
        ],
      )
    })

    test('a send has an event for each status, and the first one names the sender', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', 'a1')
      await settle(store, (await claim(store))[0] as ClaimedSend, SENT)
      const log = await logOf(store, tenant)
      assert.deepEqual(
        log.map((row) => [row.name, (JSON.parse(row.data) as { status: string }).status]),
        [
          ['messages.upsert', 'queued'],
          ['messages.update', 'sending'],
          ['messages.update', 'sent'],
          ['chats.update', undefined],
        ],
      )
      const payloads = log.map((row) => JSON.parse(row.data) as Record<string, unknown>)
      const [upsert, , sent] = payloads as [{ from: { jid: string } }, unknown, Record<string, unknown>]
      assert.ok(upsert.from.jid.endsWith('@s.whatsapp.net'))
      assert.deepEqual(
        [sent.messageId, sent.failure, sent.at],
        [messageId, null, new Date(NOON).toISOString()],
      )
    })

    test('the event of a failure has its reason', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const failure = { reason: 'rejected_by_network', error: 'No.', code: 479 } as const
      await settle(store, (await claim(store))[0] as ClaimedSend, { kind: 'failed', ...failure })
      const last = (await logOf(store, tenant)).at(-1)
      assert.deepEqual((JSON.parse(last?.data ?? '') as { failure: unknown }).failure, failure)
    })

    test('every webhook that wants an event gets a delivery of it, in order, and no other gets one', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const stranger = await makeTenant(store)
      const elsewhere = await makeInstance(store, tenant.accountId)
      const wanting = [
        await makeHook(store, tenant),
        await makeHook(store, tenant, { instanceId: tenant.instanceId, events: ['chats.update'] }),
        await makeHook(store, tenant, { events: ['messages.upsert', 'chats.update'] }),
      ]
      const others = [
        await makeHook(store, tenant, { enabled: 0 }),
        await makeHook(store, tenant, { instanceId: elsewhere }),
        await makeHook(store, tenant, { events: ['messages.update'] }),
        await makeHook(store, stranger),
      ]
      await append(store, [change(tenant.instanceId, 'one'), change(tenant.instanceId, 'two')])
      for (const id of wanting) {
        const rows = await deliveriesOf(store, id)
        assert.deepEqual(
          rows.map((row) => [row.position, row.status, row.tries, row.instance_id]),
          [
            [1, 'pending', 0, tenant.instanceId],
            [2, 'pending', 0, tenant.instanceId],
          ],
        )
        const lane = await store.db
          .selectFrom('delivery_lanes')
          .selectAll()
          .where('webhook_id', '=', id)
          .execute()
        assert.deepEqual(
          lane.map((row) => [row.instance_id, row.due_at, row.locked_until]),
          [[tenant.instanceId, NOON, null]],
        )
      }
      for (const id of others) assert.deepEqual(await deliveriesOf(store, id), [])
    })

    test('deliveries are those of the fan-out rule, for every kind of webhook and every event', async () => {
      const store = current()
      const tenants = [await makeTenant(store), await makeTenant(store)]
      const subscriptions = tenants.flatMap(({ accountId, instanceId }) =>
        [null, instanceId].flatMap((of) =>
          [['*'], [], ['messages.update'], ['chats.update', 'messages.upsert']].flatMap((events) =>
            [true, false].map((enabled) => ({ accountId, instanceId: of, events, enabled })),
          ),
        ),
      )
      const hooks = []
      for (const { enabled, ...subscription } of subscriptions)
        hooks.push(await makeHook(store, subscription, { ...subscription, enabled: enabled ? 1 : 0 }))
      const elsewhere = await Promise.all(tenants.map(({ accountId }) => makeInstance(store, accountId)))
      const instances = [...tenants.map(({ instanceId }) => instanceId), ...elsewhere]
      const events = instances.flatMap((instanceId) =>
        EVENT_NAMES.map((name): NewEvent => ({ instanceId, name, data: '{}', createdAt: NOON })),
      )
      await append(store, events)
      const logs = (await Promise.all(tenants.map((tenant) => logOf(store, tenant)))).flat()
      for (const [index, id] of hooks.entries()) {
        const subscription = subscriptions[index] as (typeof subscriptions)[number]
        const wanted = logs.filter((row) =>
          wantsEvent(
            { ...subscription, ...NO_FILTER },
            {
              ...NO_ROUTE,
              accountId: row.account_id,
              instanceId: row.instance_id,
              name: row.name as NewEvent['name'],
            },
          ),
        )
        assert.deepEqual(
          (await deliveriesOf(store, id)).map((row) => [row.account_id, row.position]),
          wanted.map((row) => [row.account_id, row.position]),
          JSON.stringify(subscription),
        )
      }
    })

    test('a filter selects by chat, sender, direction and history, for appended events and for a replay', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const ana = '5511912345678'
      const route = (change: Partial<EventRoute>): EventRoute => ({ ...NO_ROUTE, ...change })
      const routes: (EventRoute | undefined)[] = [
        undefined,
        route({ chatKind: 'people', direction: 'incoming', sender: ana }),
        route({ chatKind: 'groups', direction: 'incoming', sender: ana }),
        route({ chatKind: 'people', direction: 'outgoing' }),
        route({ chatKind: 'status', direction: 'incoming', sender: '5511900000001' }),
        route({ chatKind: 'people', direction: 'incoming', sender: ana, historical: true }),
      ]
      const hooks: [RouteFilter, number[]][] = [
        [NO_FILTER, [1, 2, 3, 4, 5]],
        [{ ...NO_FILTER, history: true }, [1, 2, 3, 4, 5, 6]],
        [{ ...NO_FILTER, chats: 'people' }, [1, 2, 4]],
        [{ ...NO_FILTER, chats: 'groups', direction: 'incoming' }, [1, 3]],
        [{ ...NO_FILTER, senders: [ana] }, [1, 2, 3]],
        [{ ...NO_FILTER, direction: 'outgoing' }, [1, 4]],
      ]
      const ids = await Promise.all(hooks.map(([filter]) => makeHook(store, tenant, { filter })))
      await append(
        store,
        routes.map((each) => Object.assign(change(tenant.instanceId), { route: each })),
      )
      const positions = async (id: number) => (await deliveriesOf(store, id)).map((row) => row.position)
      for (const [index, [filter, wanted]] of hooks.entries()) {
        const id = ids[index] as number
        assert.deepEqual(await positions(id), wanted, JSON.stringify(filter))
        await store.db.deleteFrom('deliveries').where('webhook_id', '=', id).execute()
        const webhook = { id, account_id: tenant.accountId, instance_id: null }
        const replay = { webhook, events: null, since: 0, limit: 100, now: NOON }
        const { queued } = await store.transaction((tx) => replayEvents(tx, replay))
        assert.deepEqual([queued, await positions(id)], [wanted.length, wanted], JSON.stringify(filter))
      }
    })

    test('an accepted send, its outcome and a report carry what filters read', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, '5511912345678@s.whatsapp.net', 'a1')
      const [claimed] = (await claim(store)) as [ClaimedSend]
      await settle(store, claimed, SENT)
      const outgoing = ['people', 'outgoing', null, 0]
      assert.deepEqual(
        (await logOf(store, tenant)).map((row) => [
          row.name,
          row.chat_kind,
          row.direction,
          row.sender,
          row.historical,
        ]),
        [
          ['messages.upsert', ...outgoing],
          ['messages.update', ...outgoing],
          ['messages.update', ...outgoing],
          ['chats.update', 'people', null, '5511912345678', 0],
        ],
      )
    })

    test('listeners are called after a commit that appended events, and after no other', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      let calls = 0
      const end = store.onEvents(() => void (calls += 1))
      await store.transaction(async (tx) => {
        await store.appendEvents(tx, [change(tenant.instanceId)])
        assert.equal(calls, 0)
      })
      assert.equal(calls, 1)
      await store.transaction((tx) => store.appendEvents(tx, []))
      await store
        .transaction(async (tx) => {
          await store.appendEvents(tx, [change(tenant.instanceId)])
          throw new Error('back')
        })
        .catch(() => undefined)
      assert.equal(calls, 1)
      await accept(store, tenant, 'a', 'a1')
      assert.equal(calls, 2)
      end()
      await append(store, [change(tenant.instanceId)])
      assert.equal(calls, 2)
    })
  })
}
