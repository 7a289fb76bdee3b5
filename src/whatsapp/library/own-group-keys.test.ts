import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthState } from './auth-state.ts'
import { createOwnGroupKeys } from './library-socket.ts'

const GROUP = '120363000000000001@g.us'
const [LID_KEY, NUMBER_KEY] = [`${GROUP}::200_1::3`, `${GROUP}::5511::3`]
const ADDRESSES: Record<string, string> = { '200:3@lid': '200_1.3', '5511:3@s.whatsapp.net': '5511.3' }

/** Keys by kind and name, as the session stores them. */
function ownKeys(stored: Record<string, Record<string, unknown>>) {
  const keys = {
    get: async (kind: string, names: string[]) =>
      Object.fromEntries(names.flatMap((name) => (stored[kind]?.[name] ? [[name, stored[kind][name]]] : []))),
    set: async (changes: Record<string, Record<string, unknown>>) => {
      for (const [kind, entries] of Object.entries(changes)) Object.assign((stored[kind] ??= {}), entries)
    },
  }
  const creds = { me: { id: '5511:3@s.whatsapp.net', lid: '200:3@lid' } }
  return createOwnGroupKeys({ creds, keys } as unknown as AuthState, (jid) => ADDRESSES[jid] ?? '')
}

test('a group that is addressed as before keeps its key and the record of the members who have it', async () => {
  const stored = { 'sender-key': { [LID_KEY]: 'key' }, 'sender-key-memory': { [GROUP]: { '1@lid': true } } }
  const before = structuredClone(stored)
  await ownKeys(stored).bindKeyTo(GROUP, 'lid')
  assert.deepEqual(stored, before)
})

test('a group that is addressed in another way gets a new key, which every member is given', async () => {
  for (const [addressing, key] of [['pn', LID_KEY] as const, ['lid', NUMBER_KEY] as const]) {
    const stored: Record<string, Record<string, unknown>> = {
      'sender-key': { [key]: 'key' },
      'sender-key-memory': { [GROUP]: { '1@lid': true } },
    }
    await ownKeys(stored).bindKeyTo(GROUP, addressing)
    assert.deepEqual(stored, {
      'sender-key': { [LID_KEY]: null, [NUMBER_KEY]: null },
      'sender-key-memory': { [GROUP]: null },
    })
  }
})

test('a key that is given again stays the same', async () => {
  const stored = { 'sender-key': { [LID_KEY]: 'key' }, 'sender-key-memory': { [GROUP]: { '1@lid': true } } }
  await ownKeys(stored).giveKeyAgain(GROUP)
  assert.deepEqual(stored, { 'sender-key': { [LID_KEY]: 'key' }, 'sender-key-memory': { [GROUP]: null } })
})
