// Every shell command in README.md and docs/ is run by a test that the document names, or the text says that no test runs it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { documentedBlocks, markFaults, shellBlocks } from './support/document-commands.ts'

const root = join(import.meta.dirname, '..')
const blocks = documentedBlocks(root)
const readTest = (path: string) =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined

describe('commands in documents', () => {
  test('the blocks were found', () => assert.ok(blocks.length > 40))

  for (const block of blocks)
    test(`${block.path}:${block.line} is run by a test, or says that it is not`, () =>
      assert.deepEqual(markFaults(block, readTest), []))

  test('the check finds planted faults', () => {
    const faults = (text: string) =>
      shellBlocks('planted.md', text).flatMap((block) => markFaults(block, readTest))
    const fence = '\n```sh\nnpm run cli -- fly home --now\n```\n'
    assert.match(faults(`Text.\n${fence}`)[0] ?? '', /neither/)
    assert.match(faults(`<!-- run by test/missing.test.ts -->${fence}`)[0] ?? '', /there is no test\/missing/)
    assert.deepEqual(faults(`<!-- run by test/run.ts -->${fence}`), [
      'planted.md:2: "fly" is not in test/run.ts',
      'planted.md:2: "home" is not in test/run.ts',
    ])
    assert.deepEqual(faults(`So (not run by a test: needs wings):\n${fence}`), [])
    assert.deepEqual(faults(`<!-- run by test/docs.test.ts -->${fence}`), [])
  })
})
