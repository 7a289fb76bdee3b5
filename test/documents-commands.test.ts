// Every shell command in README.md and docs/ is run by a test that the document names, or the text says that no test runs it. All
// documents have commands that can be pasted into zsh as well.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  documentedBlocks,
  documents,
  markFaults,
  shellBlocks,
  zshFaults,
} from './support/document-commands.ts'

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

describe('commands survive zsh', () => {
  const all = documents(root).flatMap((path) => shellBlocks(path, readFileSync(join(root, path), 'utf8')))

  test('no block has a comment behind a command, or a pattern without quotes', () => {
    assert.ok(all.length >= blocks.length)
    assert.deepEqual(all.flatMap(zshFaults), [])
  })

  test('the check finds planted faults', () => {
    const faults = (text: string) => zshFaults({ path: 'planted.md', line: 1, text })
    assert.match(faults('NAME=ana   # the name\n')[0] ?? '', /behind a command: NAME=ana/)
    assert.match(faults('curl "$BASE" \\\n  -d x # body\n')[0] ?? '', /behind a command/)
    assert.match(faults('curl http://127.0.0.1/?a=b\n')[0] ?? '', /without quotes/)
    assert.match(faults("# the reader's key\nls\n")[0] ?? '', /syntax in a comment/)
    assert.deepEqual(faults('# the name, as shown\nNAME=ana\ncurl "$BASE/x?a=#b" -d \'{"a": "# b?"}\'\n'), [])
  })
})
