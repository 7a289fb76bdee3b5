// The record of sent privacy tokens is stored where the library reads it, and received tokens stay.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadAuthState } from './auth-state.ts'
import { createTokenNotes } from './token-notes.ts'
import type { HeldCredentials } from './write-barrier.ts'

const WEEK_S = 604_800
const NOW = 3000 * WEEK_S + 5
const CHAT = '5511900000002@s.whatsapp.net'
const PERSON = '900000000000002@lid'

function memoryCredentials() {
  const kept = new Map<string, Uint8Array>()
  const written: string[] = []
  const write: HeldCredentials['writeBehind'] = async (keys) => {
    for (const { kind, name, value } of keys) {
      written.push(`${kind}/${name}`)
      if (value) kept.set(`${kind}/${name}`, value)
    }
  }
  const credentials: HeldCredentials = {
    async read(kind, names) {
      const found = names.map((name) => [name, kept.get(`${kind}/${name}`)] as const)
      return new Map(found.flatMap(([name, value]) => (value ? [[name, value]] : [])))
    },
    write,
    writeBehind: write,
    hold: () => undefined,
    findArrival: async () => undefined,
    framesFlushed: async () => undefined,
  }
  return { credentials, written }
}

async function start({ credentials, written } = memoryCredentials()) {
  const { keys } = await loadAuthState(credentials)
  const clock = { now: NOW }
  const lidMapping = { getLIDForPN: async (number: string) => (number === CHAT ? PERSON : null) }
  const notes = createTokenNotes(lidMapping, keys, () => clock.now)
  /** What the library does before it sends: it reads the record, and sends a token if there is none. */
  const read = async (person = PERSON) => (await keys.get('tctoken', [person]))[person]
  const noteGiven = async (chat: string) => {
    notes.noteGiven(chat)
    await new Promise(setImmediate)
  }
  return { keys, clock, read, noteGiven, written, restart: () => start({ credentials, written }) }
}

describe('the record of a sent privacy token', () => {
  test('is stored per person, and read by the next process', async () => {
    const { read, noteGiven, restart } = await start()
    assert.equal(await read(), undefined)
    await noteGiven(CHAT)
    assert.equal((await read())?.senderTimestamp, NOW)
    const later = await restart()
    assert.equal((await later.read())?.senderTimestamp, NOW)
  })

  test('keeps the token received from the person', async () => {
    const { keys, read, noteGiven } = await start()
    await keys.set({ tctoken: { [PERSON]: { token: Buffer.from('theirs'), timestamp: '7' } } })
    await noteGiven(CHAT)
    assert.deepEqual(await read(), { token: Buffer.from('theirs'), timestamp: '7', senderTimestamp: NOW })
  })

  test('is written once a week, under either address of the chat', async () => {
    const { clock, read, noteGiven, written } = await start()
    await read()
    await noteGiven(CHAT)
    await noteGiven(CHAT)
    await noteGiven(PERSON)
    assert.deepEqual(written, [`tctoken/${PERSON}`])
    clock.now += WEEK_S
    await noteGiven(CHAT)
    assert.equal((await read())?.senderTimestamp, clock.now)
    assert.equal(written.length, 2)
  })

  test('is written after the next message if the stored record is not in memory', async () => {
    const { read, noteGiven, written } = await start()
    await noteGiven(CHAT)
    assert.deepEqual(written, [])
    await read()
    await noteGiven(CHAT)
    assert.deepEqual(written, [`tctoken/${PERSON}`])
  })

  test('is kept for people only, not for groups', async () => {
    const { read, noteGiven, written } = await start()
    await read('120363000000000001@g.us')
    await noteGiven('120363000000000001@g.us')
    assert.deepEqual(written, [])
  })
})
