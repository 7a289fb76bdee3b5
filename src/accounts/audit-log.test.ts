import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAuditLog } from './audit.ts'

test('entries are written in their order, once', async () => {
  const written: number[][] = []
  const log = createAuditLog<number>(
    async (entries) => void written.push(entries),
    () => assert.fail('nothing is lost'),
  )
  for (const entry of [1, 2, 3]) log.note(entry)
  await Promise.all([log.flush(), log.flush()])
  log.note(4)
  await log.stop()
  assert.deepEqual(written, [[1, 2, 3], [4]])
})

test('a full buffer and a failed write are reported with the number of lost entries', async () => {
  const lost: number[] = []
  const log = createAuditLog<number>(
    () => Promise.reject(new Error('no store')),
    (_error, count) => void lost.push(count),
  )
  for (let entry = 0; entry < 5003; entry += 1) log.note(entry)
  await log.stop()
  assert.deepEqual(lost, [3, 5000])
})
