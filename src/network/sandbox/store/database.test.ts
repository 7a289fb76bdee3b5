import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from './database.ts'
import { appendToQueue, readQueue, removeFromQueue } from './queue.ts'

const MESSAGE = { class: 'message', id: 'A1' }

test('what committed() has waited for is in the file, whatever happens to the process next', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  const path = join(directory, 'sandbox.db')
  const database = openDatabase(path)
  /** What a process that starts after a crash at this moment would find. */
  const found = async () => {
    const copy = join(directory, 'copy.db')
    for (const suffix of ['', '-wal']) await copyFile(path + suffix, copy + suffix)
    const reopened = openDatabase(copy)
    const count = readQueue(reopened, '1', 1).length
    reopened.close()
    return count
  }
  await database.committed()
  appendToQueue(database, '1', 1, MESSAGE, Buffer.from('x'))
  await database.committed()
  assert.equal(await found(), 1)
  assert.throws(() => openDatabase(path), /another sandbox/)
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
