// The keys of a login, after pairing and messages at the most verbose log level: no file of the data directory and no line of the
// output contains them unencrypted (promise E2).
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openCredentials } from '../../src/receiving/credentials.ts'
import { openSqliteStore } from '../../src/store/engines/sqlite/open.ts'
import { openVault } from '../../src/store/vault.ts'
import { decodeKey } from '../../src/whatsapp/library/key-codec.ts'
import { engines } from '../support/engines.ts'
import { lateReader } from '../support/late-reader.ts'
import { api, linkedInstance, newNumber, untilReceived, world } from '../support/linked.ts'
import { NO_GUARD } from '../support/no-guard.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, startWithKey } from '../support/started.ts'

const [sqlite] = engines as [(typeof engines)[number]]

/** The secret fields of credentials, Signal sessions and sender keys. */
const SECRET_FIELDS = new Set([
  'private',
  'privKey',
  'rootKey',
  'key',
  'chainKey',
  'signingSecret',
  'advSecretKey',
  'keyData',
])

function secretsIn(value: unknown, field = ''): Buffer[] {
  const isSecret = SECRET_FIELDS.has(field)
  if (typeof value === 'string') return isSecret ? [Buffer.from(value, 'base64')] : []
  if (value instanceof Uint8Array) return isSecret ? [Buffer.from(value)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, name))
}

/** As bytes, and in the forms that a log or a JSON column would give them. */
const formsOf = (secret: Buffer): string[] => [
  secret.toString('latin1'),
  secret.toString('hex'),
  secret.toString('base64').replace(/=+$/, '').slice(0, -1),
  [...secret.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
]
const found = (text: string, secrets: Buffer[]): Buffer[] =>
  secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)))

/** Everything the session has stored, opened with the master key. */
async function unsealedKeys(directory: string): Promise<{ kind: string; bytes: Buffer }[]> {
  const store = await openSqliteStore(directory, { onCommit: () => undefined, onFatal: () => undefined })
  try {
    const master = Buffer.from(await readFile(join(directory, 'master-key'), 'utf8'), 'base64')
    const vault = await openVault(store.db, master)
    const rows = await store.db.selectFrom('session_keys').select(['instance_id', 'kind', 'name']).execute()
    const credentials = await openCredentials(
      { store, vault, clock: Date.now },
      rows[0]?.instance_id ?? 0,
      0,
      NO_GUARD,
      lateReader,
    )
    const keys = rows.map(async ({ kind, name }) => {
      const value = (await credentials.read(kind, [name])).get(name)
      return { kind, bytes: Buffer.from(value ?? []) }
    })
    return await Promise.all(keys)
  } finally {
    await store.close()
  }
}

describe('the keys of a login', () => {
  test('are in no file and no output after pairing, messages and new ratchets', async () => {
    const storeLocation = await sqlite.createLocation()
    const gateway = await startWithKey(storeLocation, newKey(), {
      LOG_LEVEL: 'trace',
      ...(await onSharedSandbox()),
    })
    try {
      const [number, friend] = [newNumber(), newNumber()]
      const name = await linkedInstance(gateway, number)
      await world(gateway, 'POST /phones', { number: friend })
      for (const round of [1, 2]) {
        const body = { instanceName: name, number: friend, message: `there ${round}`, delay: 0 }
        const { messageId } = await api(gateway, 'POST /send/text', body)
        await world(gateway, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
        await world(gateway, `POST /phones/${friend}/send`, { to: number, text: `and back ${round}` })
        await untilReceived(gateway, name, `and back ${round}`)
      }
      await gateway.stop()

      const unsealed = await unsealedKeys(storeLocation.directory)
      const secrets = unsealed
        .flatMap(({ kind, bytes }) => secretsIn(decodeKey(kind, bytes)))
        .filter(({ length }) => length >= 32)
      assert.ok(secrets.length > 20, `${secrets.length} secrets are known`)
      const unique = [...new Map(secrets.map((secret) => [secret.toString('hex'), secret])).values()]
      const inTheOpen = unsealed.map(({ bytes }) => bytes.toString('latin1')).join('\n')
      assert.equal(found(inTheOpen, unique).length, unique.length, 'the search finds what is there')

      assert.deepEqual(found(gateway.stdout() + gateway.stderr(), unique), [])
      const entries = await readdir(storeLocation.directory, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && entry.name !== 'master-key')
      assert.ok(files.some(({ name: file }) => file === 'switchboard.db'))
      for (const { parentPath, name: file } of files) {
        const text = await readFile(join(parentPath, file), 'latin1')
        assert.deepEqual(found(text, unique), [], file)
      }
    } finally {
      await gateway.stop('SIGKILL')
      await storeLocation.dispose()
    }
  })
})
