import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from './database.ts'
import { isFullDisk } from './full-disk.ts'
import { appendToQueue, readQueue, removeFromQueue } from './queue.ts'

const MESSAGE = { class: 'message', id: 'A1' }

test('after committed() the writes are in the file, even if the process crashes next', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  const path = join(directory, 'sandbox.db')
  const database = openDatabase(path)
  /** The rows that a process would find after a crash at this moment. */
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

test('an acknowledgement removes the oldest stanza of its name and no other', async () => {
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

test('a failed write rolls back its whole transaction, rejects committed() and does not affect later writes', async () => {
  const database = openDatabase(':memory:')
  let takenBack = 0
  database.onRollback(() => void (takenBack += 1))
  appendToQueue(database, '1', 1, MESSAGE, Buffer.from('kept'))
  await database.committed()
  // SQLite itself raises the error for a full disk.
  database.rows('PRAGMA max_page_count = 1')
  appendToQueue(database, '1', 1, MESSAGE, Buffer.from('small enough'))
  const waiting = database.committed()
  assert.throws(() => appendToQueue(database, '1', 1, MESSAGE, Buffer.alloc(1_000_000)), isFullDisk)
  await assert.rejects(waiting, isFullDisk)
  await assert.rejects(
    database.committed(),
    isFullDisk,
    'committed() rejects for other code of the same turn too',
  )
  assert.equal(takenBack, 1)
  await new Promise(setImmediate)
  database.rows('PRAGMA max_page_count = 1000000')
  appendToQueue(database, '1', 1, MESSAGE, Buffer.alloc(1_000_000))
  await database.committed()
  assert.equal(readQueue(database, '1', 1).length, 2)
  database.close()
})

test('a failed commit rolls back its whole transaction', async () => {
  const database = openDatabase(':memory:')
  database.write('CREATE TABLE people (id INTEGER PRIMARY KEY)')
  // A deferred reference is checked at the commit.
  database.write('CREATE TABLE pets (owner INTEGER REFERENCES people DEFERRABLE INITIALLY DEFERRED)')
  await database.committed()
  database.write('INSERT INTO pets VALUES (1)')
  await assert.rejects(database.committed(), /constraint/)
  assert.deepEqual(database.rows('SELECT * FROM pets'), [])
  await new Promise(setImmediate)
  database.write('INSERT INTO people VALUES (1)')
  await database.committed()
  assert.equal(database.rows('SELECT * FROM people').length, 1)
  database.close()
})
