// The end of an import says what has happened: no session was taken, or some were.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCliHere, scratchDirectory } from '../support/cli.ts'
import { newKey } from '../support/started.ts'
import { startHere } from '../support/started-here.ts'

test('an import that has refused every session says so, with exit code 1, and does not tell to start the server', async () => {
  const [directory, source] = [await scratchDirectory(), await scratchDirectory()]
  const server = await startHere(
    { directory, databaseUrl: undefined, dispose: () => Promise.resolve() },
    newKey(),
  )
  await server.stop()
  for (const name of ['one', 'two']) {
    await mkdir(join(source, name))
    await writeFile(join(source, name, 'creds.json'), 'not JSON')
  }
  for (const [more, counts] of [
    [[], '0 ready, 2 refused. Nothing was changed.'],
    [['--apply'], '0 imported, 2 refused. Nothing was changed.'],
  ] as const) {
    const words = ['import', '--from', 'baileys-folder', source, '--stopped', ...more]
    const { code, stdout } = await runCliHere(words, { DATA_DIR: directory })
    assert.equal(code, 1)
    assert.ok(stdout.trimEnd().endsWith(counts), stdout)
    assert.doesNotMatch(stdout, /Start the server/)
  }
})
