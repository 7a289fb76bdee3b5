// Phones without an owner: those from before owners, and those that were created with the sandbox's own key.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { World } from './support/world.ts'

const ALICE = '5511911110001'
const BOB = '5511911110002'

/** Calls as the gateway does for an account. */
async function as(world: World, owner: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${world.sandbox.url}/sandbox/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${World.apiKey}`,
      'x-sandbox-owner': owner,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const phonesOf = async (world: World, owner: string) =>
  answers.phones.parse((await as(world, owner, 'GET', '/phones')).body).phones.map(({ number }) => number)

test('a data directory from before owners opens, and its phones are assigned to the first account that calls', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  const before = await World.start({ dataDir })
  await before.phone(ALICE, 'Alice')
  await before.phone(BOB, 'Bob')
  const { group } = answers.group.parse(
    await before.post('/groups', { subject: 'Old', members: [BOB], admin: ALICE }),
  )
  await before.stop()
  const file = new DatabaseSync(join(dataDir, 'sandbox.db'))
  for (const table of ['accounts', 'groups'])
    file.exec(`UPDATE ${table} SET document = json_remove(document, '$.owner')`)
  file.close()

  const world = await World.start({ dataDir })
  assert.equal((await world.get('/phones', answers.phones)).phones.length, 2)
  assert.deepEqual(await phonesOf(world, 'first'), [ALICE, BOB])
  assert.deepEqual(await phonesOf(world, 'second'), [])
  await world.stop()

  const later = await World.start({ dataDir })
  assert.deepEqual(await phonesOf(later, 'second'), [])
  assert.equal((await as(later, 'first', 'GET', `/groups/${group.jid}`)).status, 200)
  assert.equal((await as(later, 'second', 'GET', `/groups/${group.jid}`)).status, 404)
  await later.stop()
  await rm(dataDir, { recursive: true })
})

test('a phone created with the sandbox’s own key is assigned to the first account that claims it, with its chats', async () => {
  const world = await World.start()
  await world.phone(ALICE, 'Alice')
  await world.phone(BOB, 'Bob')
  await world.send(ALICE, { to: BOB, text: 'before' })
  assert.deepEqual(await phonesOf(world, 'first'), [])
  assert.equal((await as(world, 'first', 'GET', `/phones/${ALICE}`)).status, 404)
  assert.equal((await as(world, 'first', 'POST', '/phones', { number: ALICE })).status, 200)
  assert.equal((await as(world, 'second', 'POST', '/phones', { number: ALICE })).status, 409)
  const { body } = await as(world, 'first', 'GET', `/phones/${ALICE}/messages`)
  assert.equal(answers.messages.parse(body).messages.length, 1)
  assert.equal((await as(world, 'second', 'POST', `/phones/${BOB}/scan`, { qr: 'no code' })).status, 400)
  assert.deepEqual(await phonesOf(world, 'second'), [BOB])
  await world.stop()
})
