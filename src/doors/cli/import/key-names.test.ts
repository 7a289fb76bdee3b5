import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readKeyFileName, readKeyName } from './key-names.ts'

/** As the library writes them. */
const fileOf = (kind: string, name: string) =>
  `${kind}-${name}.json`.replaceAll('/', '__').replaceAll(':', '-')

for (const [kind, name] of [
  ['pre-key', '812'],
  ['session', '5511912345678.0'],
  ['session', '123456789012345_1.17'],
  ['sender-key', '120363000000000000@g.us::5511912345678::3'],
  ['sender-key', '5511912345678-1600000000@g.us::123456789012345_1::0'],
  ['sender-key', 'status@broadcast::5511912345678::0'],
  ['sender-key-memory', '5511912345678-1600000000@g.us'],
  ['app-state-sync-key', 'AAAA/A+b//c='],
  ['app-state-sync-version', 'critical_unblock_low'],
  ['lid-mapping', '123456789012345_reverse'],
  ['device-list', '5511912345678'],
  ['tctoken', '123456789012345@lid'],
  ['tctoken', '__index'],
  ['identity-key', '123456789012345_1.0'],
] as const)
  test(`the name of ${kind} ${name} survives its file name`, () => {
    assert.deepEqual(readKeyFileName(fileOf(kind, name)), { kind, name })
    assert.deepEqual(readKeyName(`${kind}-${name}`), { kind, name })
  })

for (const file of ['creds.json', 'session-1.0', 'notes.json', 'session.json', 'README.md'])
  test(`${file} is not the name of a key`, () => assert.equal(readKeyFileName(file), undefined))
