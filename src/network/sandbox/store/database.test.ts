import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openDatabase } from './database.ts'
import { appendToQueue, readQueue, removeFromQueue } from './queue.ts'

const MESSAGE = { class: 'message', id: 'A1' }

test('what committed() has waited for is in the file, whatever happens to the process next', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  const path = join(directory, 'sandbox.db')
  const database = openDatabase(path)
  appendToQueue(database, '1', 1, MESSAGE, Buffer.from('x'))
  const other = new DatabaseSync(path)
  const count = () => (other.prepare('SELECT count(*) AS n FROM queue').get() as { n: number }).n
  assert.equal(count(), 0, 'not before the commit')
  await database.committed()
  assert.equal(count(), 1)
  other.close()
  database.close()
  await rm(directory, { recursive: true })
})

test('an acknowledgement takes the oldest stanza of its name off, and no other', async () => {
  const database = openDatabase(':memory:')
  appendToQueue(database, '1', 1, MESSAGE, Buffer.from('first'))
  appendToQueue(database, '1', 1, MESSAGE, Buffer.from('retry'))
  appendToQueue(database, '1', 2, MESSAGE, Buffer.from('other device'))
  appendToQueue(database, '1', 1, { class: 'receipt', id: 'A1' }, Buffer.from('other class'))
  removeFromQueue(database, '1', 1, MESSAGE)
  const left = readQueue(database, '1', 1).map(({ stanza }) => Buffer.from(stanza).toString())
  assert.deepEqual(left, ['retry', 'other class'])
  assert.equal(readQueue(database, '1', 2).length, 1)
  database.close()
})
