import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../store/database.ts'
import { loadWorld } from '../store/load-world.ts'
import { type Stanza, stanza } from '../wire/stanza.ts'
import { acceptMessage } from './accept-message.ts'
import { registerAccount } from './accounts.ts'
import type { ConnectedClient } from './client.ts'
import { noFaults } from './fault-state.ts'
import type { SandboxState } from './sandbox-state.ts'

test('a message is acknowledged and delivered after its commit, not before', async () => {
  const database = openDatabase(':memory:')
  const commit = Promise.withResolvers<void>()
  const world = loadWorld(database)
  const alice = registerAccount(world, database, '5511900000001', 'Alice', null)
  registerAccount(world, database, '5511900000002', 'Bob', null)
  const happened: string[] = []
  const phone = {
    receive: ({ node }: { node: Stanza }) => happened.push(`phone receives ${node.attrs['id']}`),
  }
  const state = {
    database: { ...database, committed: () => commit.promise },
    world,
    faults: noFaults(),
    phones: new Map([['5511900000002', phone]]),
    online: new Map(),
  } as unknown as SandboxState
  const connection = { send: (node: Stanza) => happened.push(`${node.tag} of ${node.attrs['id']}`) }
  const client = { state, connection, account: alice, device: { id: 1 } } as unknown as ConnectedClient
  const to = '5511900000002@s.whatsapp.net'
  acceptMessage(
    client,
    stanza('message', { id: 'A1', to, type: 'text' }, [stanza('enc', {}, Buffer.from('x'))]),
  )
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(happened, [])
  commit.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(happened, ['phone receives A1', 'ack of A1'])
  database.close()
})
