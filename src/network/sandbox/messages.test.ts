import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from './dispatch.ts'
import type { Exchange } from './exchange.ts'
import { noFaults } from './fault-state.ts'
import { acceptMessage } from './messages.ts'
import { type Stanza, stanza } from './stanza.ts'
import { openDatabase } from './store/database.ts'
import { loadWorld, registerAccount } from './world.ts'

test('a message is acknowledged and handed over after its commit, and not before', async () => {
  const database = openDatabase(':memory:')
  const commit = Promise.withResolvers<void>()
  const world = loadWorld(database)
  const alice = registerAccount(world, database, '5511900000001', 'Alice')
  registerAccount(world, database, '5511900000002', 'Bob')
  const happened: string[] = []
  const phone = { take: ({ node }: { node: Stanza }) => happened.push(`phone takes ${node.attrs['id']}`) }
  const exchange = {
    database: { ...database, committed: () => commit.promise },
    world,
    faults: noFaults(),
    phones: new Map([['5511900000002', phone]]),
    online: new Map(),
  } as unknown as Exchange
  const connection = { send: (node: Stanza) => happened.push(`${node.tag} of ${node.attrs['id']}`) }
  const client = { exchange, connection, account: alice, device: { id: 1 } } as unknown as Client
  const to = '5511900000002@s.whatsapp.net'
  acceptMessage(
    client,
    stanza('message', { id: 'A1', to, type: 'text' }, [stanza('enc', {}, Buffer.from('x'))]),
  )
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(happened, [])
  commit.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(happened, ['phone takes A1', 'ack of A1'])
  database.close()
})
