// Sessions of baileys-api, in the hashes of a Redis server, through the command line.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import type { SessionReport } from '../../src/doors/cli/import/import-sessions.ts'
import { connectRedis } from '../../src/doors/cli/import/redis-client.ts'
import { makeAccount } from '../../src/store/conformance/tenant.ts'
import { runCliHere, settingsOf } from '../support/cli.ts'
import { engines } from '../support/engines.ts'
import { json, linkedCreds, sessionRecord } from '../support/foreign-session.ts'
import { openStore } from '../support/open-store.ts'
import { hasRedisServer, startRedis } from '../support/redis-server.ts'

describe('importing sessions of baileys-api', { skip: !hasRedisServer() }, () => {
  test('a hash of Redis becomes an instance; a client that is connected stops the import', async () => {
    const [engine] = engines
    assert.ok(engine)
    const at = await engine.createLocation()
    const store = await openStore(at)
    await makeAccount(store)
    await store.close()
    const password = 'word of redis'
    const { port, server } = await startRedis(password)
    try {
      const location = `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/3`
      const other = await connectRedis(location)
      const set = (hash: string, field: string, value: unknown) =>
        other.command('HSET', `@baileys-api:connections:${hash}:authState`, field, json(value))
      await set('+5511940000009', 'creds', linkedCreds('5511940000009'))
      await set('+5511940000009', 'metadata', {
        webhookUrl: 'https://example.com/hook',
        webhookVerifyToken: 'word',
        clientName: 'Desk',
        syncFullHistory: true,
      })
      for (let id = 1; id <= 600; id += 1)
        await set('+5511940000009', `pre-key-${id}`, { public: randomBytes(32), private: randomBytes(32) })
      await set('+5511940000009', 'session-5511912345678.0', sessionRecord())
      await set('+5511940000009', 'session-5511912345679.0', { _sessions: 7 })
      await set('+5511940000010', 'creds', { me: null })
      const run = (where: string, ...more: string[]) =>
        runCliHere(['import', '--from', 'baileys-api', '-', '--json', ...more], settingsOf(at), `${where}\n`)
      const refusal = async (where: string, ...more: string[]) => (await run(where, ...more)).stderr
      assert.match(
        await refusal(location),
        /another client is connected to Redis: stop the other program first/,
      )
      other.close()
      const wrong = `redis://:wrong@127.0.0.1:${port}`
      assert.match(await refusal(wrong), /Redis refuses a command \(WRONGPASS\)/)
      assert.match(await refusal(location.replace('/3', '/4')), /has no hash/)
      assert.match(await refusal('http://127.0.0.1'), /SOURCE: expected redis/)
      assert.equal((await run(location)).json.sessions[0].outcome, 'ready')
      const reports: SessionReport[] = (await run(location, '--apply')).json.sessions
      assert.deepEqual(
        reports.map(({ label, outcome, reason, taken, belongings, left }) => ({
          label,
          outcome,
          reason,
          taken,
          belongings,
          left,
        })),
        [
          {
            label: '+5511940000009',
            outcome: 'imported',
            reason: null,
            taken: { 'pre-key': 600, session: 1 },
            belongings: { settings: 1, webhook: 1 },
            left: { 'session: cannot be read': 1 },
          },
          {
            label: '+5511940000010',
            outcome: 'refused',
            reason: 'creds: not linked with a phone',
            taken: {},
            belongings: {},
            left: {},
          },
        ],
      )
    } finally {
      server.kill('SIGKILL')
      await at.dispose()
    }
  })
})
