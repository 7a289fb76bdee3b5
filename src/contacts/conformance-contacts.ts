// Finding contacts: the same search finds the same rows in the same order on every engine.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeAccount, makeInstance, NOON } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { flag } from '../store/tables.ts'
import * as contacts from './contact-queries.ts'
import { searchText } from './rules-search-text.ts'

const NAMES = [
  'Ana Souza', 'ana maria', 'ANABELA', 'Zoë', 'zoe', 'Émile', 'emile', 'Ægir', '100% sure', '100 sure', 'under_score',
  'underXscore', "O'Brien", 'O"Brien', 'back\\slash', 'back/slash', '👋 wave', '👨‍👩‍👧 family', '日本語の名前', 'Straße', 'ẞ', 'a', 'AB', '%', '_', '*',
  'and', 'NEAR(x)', 'tab\tname', '  blanks  ', '-minus', 'İstanbul',
] // biome-ignore format: a list of words
const SEARCHES = [
  'ana', 'ANA', 'Ana', 'a', 'ab', 'AB', '%', '_', '100%', '0% s', 'r_s', "'", "o'b", '"', 'o"b', '\\', 'k\\s', '👋', '👋 w',
  '👨‍👩‍👧', '\u200d', '日本', '日本語', '語', 'straße', 'STRASSE', 'ß', 'é', 'É', 'émi', 'æ', 'ÆGI', '*', 'and', 'near(', '  ', 'tab\tn',
  '-mi', 'i̇st', 'İST', 'nobody', '@s.whatsapp', '551190000001', '0000', 'chat of', 'pushed', 'Pushed Ana', 'ana souza\n',
] // biome-ignore format: a list of words

interface Saved {
  id: number
  text: string
  sortName: string
}

async function save(
  store: Store,
  accountId: number,
  instanceId: number,
  name: string,
  index: number,
): Promise<Saved> {
  const jid =
    index % 10 === 9 ? `1203630${index}@g.us` : `5511900000${String(index).padStart(3, '0')}@s.whatsapp.net`
  const isGroup = jid.endsWith('@g.us')
  const chat = await contacts.ensureChat(store.db, { instanceId, jid, isGroup, now: NOON })
  const names =
    index % 2 === 0
      ? { name: `Chat of ${index}`, push_name: `Pushed ${name}` }
      : { name: null, push_name: null }
  await store.db.updateTable('chats').set(names).where('id', '=', chat.id).execute()
  const phone = isGroup ? null : (jid.split('@')[0] as string)
  const text = searchText([name, phone, jid, names.name, names.push_name])
  const inserted = await contacts.insertContact(store.db, {
    account_id: accountId,
    instance_id: instanceId,
    chat_id: chat.id,
    name,
    phone,
    jid,
    is_group: flag(isGroup),
    assigned_user_id: null,
    assigned_department_id: null,
    funnel_stage_id: null,
    notes: null,
    custom_data: '{}',
    sort_name: name.toLowerCase(),
    search_text: text,
    created_at: NOON,
    updated_at: NOON,
  })
  assert.ok(inserted)
  const row = await contacts.findContactByJid(store.db, instanceId, jid)
  return { id: row?.id ?? 0, text, sortName: name.toLowerCase() }
}

const byNameBytes = (a: Saved, b: Saved): number =>
  Buffer.compare(Buffer.from(a.sortName), Buffer.from(b.sortName)) || a.id - b.id

export function contactConformance({ store: current }: Conformance): void {
  describe('contacts', () => {
    const list = async (store: Store, filter: Partial<contacts.ContactFilter> & { instanceId: number }) => {
      const whole = { includeGroups: true, search: undefined, limit: 100, offset: 0, ...filter }
      const { contacts: found, total } = await contacts.findContacts(store.db, store.search, whole)
      return { ids: found.map((row) => row.id), total }
    }
    async function seed(store: Store) {
      const accountId = await makeAccount(store)
      const instanceId = await makeInstance(store, accountId)
      const other = await makeInstance(store, accountId)
      const saved: Saved[] = []
      for (const [index, name] of NAMES.entries()) {
        saved.push(await save(store, accountId, instanceId, name, index))
        await save(store, accountId, other, name, index)
      }
      return { instanceId, saved: saved.sort(byNameBytes) }
    }

    test('a search is literal, case-insensitive, ordered, and limited to its instance', async () => {
      const store = current()
      const { instanceId, saved } = await seed(store)
      for (const search of SEARCHES.map((text) => text.toLowerCase())) {
        const expected = saved.filter(({ text }) => text.includes(search)).map(({ id }) => id)
        const found = await list(store, { instanceId, search })
        assert.deepEqual(found, { ids: expected, total: expected.length }, `search ${JSON.stringify(search)}`)
      }
    })

    test('the list is ordered by the bytes of the name, and its pages have no gaps or duplicates', async () => {
      const store = current()
      const { instanceId, saved } = await seed(store)
      const all = await list(store, { instanceId })
      assert.deepEqual(all, { ids: saved.map(({ id }) => id), total: NAMES.length })
      const pages: number[] = []
      for (let offset = 0; offset < NAMES.length; offset += 7) {
        pages.push(...(await list(store, { instanceId, limit: 7, offset })).ids)
      }
      assert.deepEqual(pages, all.ids)
    })

    test('a page after the last is empty and still has the total, with and without a search', async () => {
      const store = current()
      const { instanceId, saved } = await seed(store)
      const expected = saved.filter(({ text }) => text.includes('ana')).length
      assert.deepEqual(await list(store, { instanceId, offset: 1000 }), { ids: [], total: NAMES.length })
      assert.deepEqual(await list(store, { instanceId, offset: 1000, search: 'ana' }), {
        ids: [],
        total: expected,
      })
    })

    test('groups are left out of list, search and count by default', async () => {
      const store = current()
      const { instanceId, saved } = await seed(store)
      const people = saved.filter(({ text }) => !text.includes('@g.us')).map(({ id }) => id)
      assert.deepEqual(await list(store, { instanceId, includeGroups: false }), {
        ids: people,
        total: people.length,
      })
      assert.deepEqual(await list(store, { instanceId, includeGroups: false, search: '@g.us' }), {
        ids: [],
        total: 0,
      })
    })

    test('a search finds the current names of contacts, and no deleted contact', async () => {
      const store = current()
      const { instanceId, saved } = await seed(store)
      const [renamed, deleted] = saved as [Saved, Saved]
      await contacts.updateContact(store.db, renamed.id, {
        search_text: 'entirely new',
        sort_name: 'entirely new',
      })
      const row = await store.db
        .selectFrom('contacts')
        .select('jid')
        .where('id', '=', deleted.id)
        .executeTakeFirstOrThrow()
      const contact = await contacts.findContactByJid(store.db, instanceId, row.jid)
      assert.ok(contact)
      await contacts.deleteContact(store.db, contact)
      assert.deepEqual((await list(store, { instanceId, search: 'entirely' })).ids, [renamed.id])
      assert.deepEqual((await list(store, { instanceId, search: row.jid })).ids, [])
      assert.equal((await list(store, { instanceId })).total, NAMES.length - 1)
    })
  })
}
