// After the store has forgotten the one-time keys, the next connection uses new numbers and uploads a full set.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { type AuthenticationCreds, INITIAL_PREKEY_COUNT } from 'baileys'
import type { AuthState } from './auth-state.ts'
import { replaceOneTimeKeys } from './open-library.ts'

function stateOf(nextPreKeyId: number, stored: number[], isPaired = true) {
  const creds = {
    ...(isPaired && { me: { id: '5511900000001@s.whatsapp.net' } }),
    nextPreKeyId,
    firstUnuploadedPreKeyId: nextPreKeyId,
  } as AuthenticationCreds
  const keys = {
    get: async (_kind: string, names: string[]) =>
      Object.fromEntries(names.filter((name) => stored.includes(Number(name))).map((name) => [name, {}])),
  } as unknown as AuthState['keys']
  return { creds, keys }
}

const log = { debug: (text: string) => assert.fail(text) }

test('keys are replaced when none of the newest is stored', async () => {
  for (const next of [813, 3]) assert.ok(await replaceOneTimeKeys(stateOf(next, [])))
})

test('a key that a contact has used is not a sign, and a device that is not paired has no keys yet', async () => {
  for (const state of [stateOf(813, [800]), stateOf(813, [], false), stateOf(1, [])]) {
    const before = { ...state.creds }
    assert.equal(await replaceOneTimeKeys(state), undefined)
    assert.deepEqual(state.creds, before)
  }
})

test('new numbers leave room within three bytes, and count as not uploaded', async () => {
  for (let round = 0; round < 100; round++) {
    const state = stateOf(813, [])
    await replaceOneTimeKeys(state)
    const { nextPreKeyId, firstUnuploadedPreKeyId } = state.creds
    assert.equal(firstUnuploadedPreKeyId, nextPreKeyId)
    assert.ok(nextPreKeyId > 1 && nextPreKeyId + 1_000_000 < 2 ** 24, String(nextPreKeyId))
  }
})

test('the upload begins with the login, before the library checks its keys', async () => {
  const ws = new EventEmitter()
  const steps: string[] = []
  ws.on('CB:success', () => void steps.push('library'))
  const uploadPreKeys = async (count: number) => void steps.push(`upload ${count}`)
  const upload = await replaceOneTimeKeys(stateOf(813, []))
  upload?.({ ws, uploadPreKeys }, log)
  assert.deepEqual(steps, [])
  ws.emit('CB:success')
  assert.deepEqual(steps, [`upload ${INITIAL_PREKEY_COUNT}`, 'library'])
})
