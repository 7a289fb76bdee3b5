// Commands name the master key of the settings that they run with, and say so when it is not the one of the data.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { done, type Environment, runCliHere, scratchDirectory } from '../support/cli.ts'
import { newKey } from '../support/started.ts'
import { startHere } from '../support/started-here.ts'

const newMasterKey = () => randomBytes(32).toString('base64')

let directory = ''
let folder = ''
const key = newMasterKey()
const inFolder = (name: string) => join(folder, name)

before(async () => {
  ;[directory, folder] = [await scratchDirectory(), await scratchDirectory()]
  await writeFile(inFolder('key'), `${key}\n`)
  await writeFile(inFolder('other'), newMasterKey())
  const location = { directory, databaseUrl: undefined, dispose: () => Promise.resolve() }
  const server = await startHere(location, newKey(), { MASTER_KEY: key })
  await server.stop()
})

const run = (words: string[], environment: Environment) =>
  runCliHere(words, { DATA_DIR: directory, ...environment })

interface Case {
  environment(): Environment
  /** What the text of the backup names. */
  named(): string
  state: 'fits' | 'other' | 'missing'
}

const CASES: Record<string, Case> = {
  MASTER_KEY: { environment: () => ({ MASTER_KEY: key }), named: () => 'MASTER_KEY', state: 'fits' },
  MASTER_KEY_FILE: {
    environment: () => ({ MASTER_KEY_FILE: inFolder('key') }),
    named: () => inFolder('key'),
    state: 'fits',
  },
  'MASTER_KEY_FILE with another key': {
    environment: () => ({ MASTER_KEY_FILE: inFolder('other') }),
    named: () => inFolder('other'),
    state: 'other',
  },
  'no setting': { environment: () => ({}), named: () => join(directory, 'master-key'), state: 'missing' },
}

for (const [name, { environment, named, state }] of Object.entries(CASES)) {
  test(`with ${name}, a backup and the doctor name the same key: ${state}`, async () => {
    const file = inFolder(`backup of ${name}`)
    const { stdout } = done(await run(['backup', file], environment()))
    const store = `Store a copy of ${named()} in a separate, private place`
    assert.equal(stdout.includes(store), state === 'fits', stdout)
    assert.ok(stdout.includes(named()), stdout)
    if (state !== 'fits') assert.match(stdout, /The server has another one \(MASTER_KEY, MASTER_KEY_FILE\)/)
    const doctor = await run(['doctor', '--json', '--skip', 'server'], environment())
    const finding = doctor.json.findings.find(({ check }: { check: string }) => check === 'master key')
    assert.ok(finding.found.startsWith(named()), finding.found)
    assert.equal(finding.status, state === 'fits' ? 'ok' : 'wrong')
  })
}

test('a rotation names the file that gets the new key', async () => {
  await writeFile(inFolder('new'), newMasterKey())
  const { stdout } = done(
    await run(['rotate-master-key', '--new-key-file', inFolder('new')], { MASTER_KEY_FILE: inFolder('key') }),
  )
  assert.ok(stdout.includes(`Write the new key to ${inFolder('key')} on every node`), stdout)
})
