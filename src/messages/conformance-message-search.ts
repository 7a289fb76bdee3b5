// The search for messages: the same words find the same messages on both engines, and changes are followed.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { receivedMessage, reportOf } from '../receiving/conformance-arrivals.ts'
import type { ReceivedRow, ReportedMessage } from '../receiving/report-store.ts'
import { makeInstance, makeTenant, NOON, type Tenant, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import type { MessageFilter } from './message-queries.ts'
import { accountMark, instanceMark, searchTerms, wordsOf } from './rules-search-words.ts'
import type { TextChange } from './rules-text-change.ts'
import { findByWords, indexNext } from './search-queries.ts'

const SILENT = ['edit', 'delete', 'reaction']
const ANA = '5511912345678@s.whatsapp.net'

export function messageSearchConformance({ store: current }: Conformance): void {
  /** On PostgreSQL, transactions of other tests may be under way. */
  async function indexAll(store: Store): Promise<void> {
    for (;;) {
      const read = await indexNext(store, { limit: 50, silent: SILENT })
      if (read === 0) return
    }
  }
  const message = (tenant: Tenant, id: string, text: string | null, row: Partial<ReceivedRow> = {}) =>
    receivedMessage(tenant, id, { content: JSON.stringify({ text }), ...row })
  const record = (store: Store, tenant: Tenant, messages: ReportedMessage[]) =>
    store.recordReports([reportOf(tenant, { messages })])
  const change = (tenant: Tenant, id: string, textChange: TextChange) =>
    receivedMessage(
      tenant,
      id,
      { kind: textChange.isDeletion ? 'delete' : 'edit', content: JSON.stringify({ text: textChange.text }) },
      { activity: null, textChange },
    )
  const about = (messageId: string, text: string | null): TextChange => ({
    messageId,
    direction: 'incoming',
    isDeletion: text === null,
    text,
  })
  async function find(store: Store, tenant: Tenant, search: string, filter: Partial<MessageFilter> = {}) {
    const { accountId, instanceId } = tenant
    const mark = filter.instanceId === undefined ? accountMark(accountId) : instanceMark(instanceId)
    const found = await findByWords(store.db, store.messageSearch.matches(mark, searchTerms(search)), {
      accountId,
      instanceId: undefined,
      person: undefined,
      chats: undefined,
      status: undefined,
      direction: undefined,
      limit: 100,
      offset: 0,
      ...filter,
    })
    return found.map(({ id }) => id)
  }
  const begin = async () => {
    const store = current()
    return { store, tenant: await makeTenant(store) }
  }

  describe('search for messages', () => {
    test('all words in any order, beginnings of words, without case and accents; latest first', async () => {
      const { store, tenant } = await begin()
      await record(store, tenant, [
        message(tenant, 'one', 'A nota fiscal de JANEIRO'),
        message(tenant, 'two', 'Notação: não é nota', { created_at: NOON + 5000 }),
        message(tenant, 'three', 'nothing of it', { created_at: NOON + 9000 }),
      ])
      await indexAll(store)
      assert.deepEqual(await find(store, tenant, 'nota'), ['two', 'one'])
      assert.deepEqual(await find(store, tenant, 'janeiro NOTÁ'), ['one'])
      assert.deepEqual(await find(store, tenant, 'notac'), ['two'])
      // Two letters are a whole word.
      assert.deepEqual(await find(store, tenant, 'no'), [])
      assert.deepEqual(await find(store, tenant, 'de'), ['one'])
      assert.deepEqual(await find(store, tenant, 'ota'), [])
    })

    test('only messages of the account, the instance and the filter; pages without gaps', async () => {
      const { store, tenant } = await begin()
      const stranger = await makeTenant(store)
      const second = { ...tenant, instanceId: await makeInstance(store, tenant.accountId) }
      await record(store, stranger, [message(stranger, 'theirs', 'shared word')])
      await record(store, second, [message(second, 'second', 'shared word', { created_at: NOON - 1 })])
      await record(store, tenant, [
        message(tenant, 'a', 'shared word', { created_at: NOON + 1 }),
        message(tenant, 'b', 'shared word', {
          chat: 'b@s.whatsapp.net',
          kind: 'image',
          created_at: NOON + 2,
        }),
        message(tenant, 'c', 'shared word', { created_at: NOON + 3 }),
      ])
      await indexAll(store)
      const { instanceId } = tenant
      assert.deepEqual(await find(store, tenant, 'shared word'), ['c', 'b', 'a', 'second'])
      assert.deepEqual(await find(store, tenant, 'shared', { instanceId }), ['c', 'b', 'a'])
      assert.deepEqual(await find(store, tenant, 'shared', { chats: [ANA], instanceId }), ['c', 'a'])
      assert.deepEqual(await find(store, tenant, 'shared', { kinds: ['image'] }), ['b'])
      assert.deepEqual(await find(store, tenant, 'shared', { since: NOON + 1, until: NOON + 2 }), ['b', 'a'])
      assert.deepEqual(await find(store, tenant, 'shared', { limit: 2, offset: 1 }), ['b', 'a'])
    })

    test('edits and deletions are followed, before and after the message is indexed', async () => {
      const { store, tenant } = await begin()
      await record(
        store,
        tenant,
        ['early', 'late', 'gone'].map((id) => message(tenant, id, 'original')),
      )
      await record(store, tenant, [change(tenant, 'e1', about('early', 'changed'))])
      await indexAll(store)
      assert.deepEqual(await find(store, tenant, 'changed'), ['early'])
      assert.deepEqual(await find(store, tenant, 'original'), ['gone', 'late'])
      await record(store, tenant, [change(tenant, 'e2', about('late', '👍'))])
      await record(store, tenant, [change(tenant, 'd1', about('gone', null))])
      await record(store, tenant, [change(tenant, 'e3', about('gone', 'original'))])
      await record(store, tenant, [change(tenant, 'e4', about('late', 'changed again'))])
      await indexAll(store)
      assert.deepEqual(await find(store, tenant, 'original'), [])
      assert.deepEqual(await find(store, tenant, 'changed'), ['late', 'early'])
    })

    test('the content of an undecryptable message that arrives later is found', async () => {
      const { store, tenant } = await begin()
      await record(store, tenant, [message(tenant, 'one', null, { kind: 'undecryptable' })])
      await indexAll(store)
      await record(store, tenant, [message(tenant, 'one', 'readable')])
      assert.deepEqual(await find(store, tenant, 'readable'), ['one'])
    })

    test('deleted rows leave the index, and many messages are indexed once', async () => {
      const { store, tenant } = await begin()
      await record(
        store,
        tenant,
        times(120, (index) => message(tenant, `m${index}`, 'many words')),
      )
      await Promise.all([indexAll(store), indexAll(store)])
      assert.equal((await find(store, tenant, 'many', { limit: 500 })).length, 120)
      await store.db.deleteFrom('messages').where('instance_id', '=', tenant.instanceId).execute()
      assert.deepEqual(await find(store, tenant, 'many'), [])
    })

    test('any text is found by its own words, and any search is harmless', async () => {
      const { store, tenant } = await begin()
      const texts = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), {
        numRuns: 60,
        seed: 7,
      })
      await record(
        store,
        tenant,
        texts.map((text, index) => message(tenant, `t${index}`, text)),
      )
      await indexAll(store)
      for (const [index, text] of texts.entries()) {
        const words = wordsOf(text)
        if (words.length === 0) continue
        assert.ok((await find(store, tenant, text)).includes(`t${index}`), text)
      }
      const hostile = [
        `"`,
        `a" OR "b`,
        `NEAR(a b)`,
        `'; drop table messages; --`,
        `a & !b`,
        `\\`,
        `x:*`,
        '%_',
        '¤a1',
      ]
      for (const search of hostile) if (searchTerms(search).length > 0) await find(store, tenant, search)
    })
  })
}
