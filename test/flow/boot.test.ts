// The usual start and stop of the real process: its keys, its settings, and its exit (decisions 1). `test/long/boot.test.ts` has what can go
// wrong.
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { limitsStatus, plansStatus, secretIn, withLocation } from '../support/first-start.ts'
import { halfRequest, refused } from '../support/raw-http.ts'

const KEY_FORM = /sk_[0-9A-Za-z]{38}/g

for (const engine of behaviourEngines()) {
  describe(`boot on ${engine.name}`, { concurrency: 2 }, () => {
    test('the first start creates keys, prints them once and makes the files private; the second start keeps them', () =>
      withLocation(engine, async (storeLocation, spawned) => {
        const first = spawned()
        const url = await first.ready
        const files = { 'first-api-key': '', 'operator-key': '', 'master-key': '' }
        for (const file of Object.keys(files) as (keyof typeof files)[]) {
          files[file] = await secretIn(storeLocation, file)
          assert.equal((await stat(join(storeLocation.directory, file))).mode & 0o777, 0o600, file)
        }
        assert.equal(await limitsStatus(url, files['first-api-key']), 200)
        assert.equal(await plansStatus(url, files['operator-key']), 200)
        assert.deepEqual(await first.stop(), { code: 0, signal: null })
        // Only after the end is all of it read: the ready line comes over another pipe.
        assert.deepEqual(first.stderr().match(KEY_FORM), [files['first-api-key'], files['operator-key']])
        assert.ok(!first.stderr().includes(files['master-key']))

        const second = spawned()
        const again = await second.ready
        for (const file of Object.keys(files) as (keyof typeof files)[]) {
          assert.equal(await secretIn(storeLocation, file), files[file])
        }
        assert.equal(await limitsStatus(again, files['first-api-key']), 200)
        assert.equal(await plansStatus(again, files['operator-key']), 200)
        await second.stop()
        assert.equal(second.stderr(), '')
      }))

    test('all invalid settings are reported together by name, without their values, exit code 78', () =>
      withLocation(engine, async (_location, spawned) => {
        const values = {
          PORT: 'canary-port',
          DATABASE_URL: 'mysql://canary:secret@db',
          NETWORK: 'canary-network',
          API_KEY: 'canary-short',
          OPERATOR_KEY: 'canary-operator',
          MASTER_KEY: 'canary-not-base64',
          PUBLIC_URL: 'canary-url',
          TRUST_PROXY: 'canary-proxy',
          RATE_LIMIT: '-5',
          LOG_LEVEL: 'canary-level',
        }
        const server = spawned(values)
        assert.equal((await server.exited).code, 78)
        for (const name of Object.keys(values))
          assert.match(server.stderr(), new RegExp(`^ {2}${name}[.0-9]*: `, 'm'))
        assert.doesNotMatch(server.stderr() + server.stdout(), /canary|secret|-5/)
      }))

    test('a request in flight at SIGTERM is answered, then the process exits with 0', () =>
      withLocation(engine, async (storeLocation, spawned) => {
        const server = spawned()
        const url = await server.ready
        const key = await secretIn(storeLocation, 'first-api-key')
        const body = JSON.stringify({ instanceName: 'Late' })
        const half = await halfRequest(url, key, body)
        // A kept-alive connection without a request must not hold the process up.
        await fetch(`${url}/healthz`, { headers: { connection: 'keep-alive' } })
        server.child.kill('SIGTERM')
        await refused(url)
        const answer = await half.finish()
        assert.match(answer, /^HTTP\/1\.1 200 OK/)
        assert.match(answer, /"success":true/)
        assert.match(answer, /^connection: close\r$/im, 'kept alive, it would hold up the end')
        assert.deepEqual(await server.exited, { code: 0, signal: null })
      }))
  })
}
