import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openCrashMarks, readCrashMarks } from './crash-marks.ts'

describe('marks of what a process is doing', () => {
  let directory: string
  const file = () => join(directory, 'marks')
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'marks-'))
  })
  after(() => rm(directory, { recursive: true }))

  test('the next process reads the marks that were set and not ended', () => {
    const marks = openCrashMarks(file())
    marks.set('first')
    const end = marks.set('second, which is longer')
    marks.set('third')
    end()
    marks.set('fourth')
    const found = readCrashMarks(file())
    assert.deepEqual(found.marks.toSorted(), ['first', 'fourth', 'third'])
    assert.match(found.run, /^[0-9a-f-]{36}$/)
    // A new process begins a new file under another name.
    openCrashMarks(file())
    assert.deepEqual(readCrashMarks(file()).marks, [])
    assert.notEqual(readCrashMarks(file()).run, found.run)
  })

  test('a process that ends as it should leaves none, and marks that are set or ended later are ignored', () => {
    const marks = openCrashMarks(file())
    const end = marks.set('work')
    marks.close()
    end()
    marks.set('late')
    assert.deepEqual(readCrashMarks(file()), { run: '', marks: [] })
  })

  test('there are none before the first start', () => {
    assert.deepEqual(readCrashMarks(join(directory, 'missing')), { run: '', marks: [] })
  })
})
