import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const QUIET = fileURLToPath(new URL('./quiet-libsignal.ts', import.meta.url))

/** The output of a separate process that closes a libsignal session, as when a phone has started a new one. */
function output(silence: boolean): string {
  const program = `
    ${silence ? `(await import(${JSON.stringify(QUIET)})).silenceLibsignal()` : ''}
    const { default: libsignal } = await import('libsignal/src/session_record.js')
    const record = new libsignal()
    const entry = libsignal.createEntry()
    entry.indexInfo = { closed: -1, baseKey: Buffer.from('the base key'), remoteIdentityKey: Buffer.alloc(1) }
    entry.currentRatchet = { ephemeralKeyPair: { privKey: Buffer.from('a private key') } }
    entry.registrationId = 4711
    record.closeSession(entry)
    console.log('a word of our own')
    console.warn('a warning of our own')`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  })
  return stdout + stderr
}

describe('libsignal', () => {
  test('prints sessions with their keys by default', () => {
    assert.match(output(false), /Closing session[^]*privKey[^]*a word of our own/)
  })

  test('is silenced, and other output stays', () => {
    assert.equal(output(true), 'a word of our own\na warning of our own\n')
  })
})
