// The start of the real process: its keys, its refusals, and its exit (decisions 1).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Engine, engines, type StoreLocation } from '../support/engines.ts'
import { assertCleanExit } from '../support/exit.ts'
import { environmentOf, type ServerProcess, spawnServer } from '../support/process.ts'
import { halfRequest, refused } from '../support/raw-http.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'

const KEY_FORM = /sk_[0-9A-Za-z]{38}/g
const limitsStatus = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/api/v1/account/limits`, { headers: { authorization: `Bearer ${key}` } })).status
const plansStatus = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/admin/v1/plans`, { headers: { authorization: `Bearer ${key}` } })).status
const secretIn = async (storeLocation: StoreLocation, file: string): Promise<string> =>
  (await readFile(join(storeLocation.directory, file), 'utf8')).trim()

/** Gives the work a location of its own, and ends every server that it started there. */
async function withLocation(
  engine: Engine,
  work: (
    storeLocation: StoreLocation,
    spawned: (more?: Record<string, string>) => ServerProcess,
  ) => Promise<void>,
): Promise<void> {
  const storeLocation = await engine.createLocation()
  const running: ServerProcess[] = []
  const sandbox = await onSharedSandbox()
  try {
    await work(storeLocation, (more = {}) => {
      const server = spawnServer({ ...environmentOf(storeLocation), ...sandbox, ...more })
      running.push(server)
      return server
    })
  } finally {
    await Promise.all(running.map((server) => server.stop('SIGKILL')))
    await storeLocation.dispose()
  }
}

for (const engine of engines) {
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
  })
}

const sqlite = engines.find(({ name }) => name === 'sqlite') as Engine

describe('boot: settings', { concurrency: 2 }, () => {
  test('all invalid settings are reported together by name, without their values, exit code 78', () =>
    withLocation(sqlite, async (_location, spawned) => {
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

  test('keys from the environment are used and not written to disk', () =>
    withLocation(sqlite, async (storeLocation, spawned) => {
      const [apiKey, operatorKey] = [randomBytes(20).toString('hex'), randomBytes(20).toString('hex')]
      const masterKey = randomBytes(32).toString('base64')
      const server = spawned({ API_KEY: apiKey, OPERATOR_KEY: operatorKey, MASTER_KEY: masterKey })
      const url = await server.ready
      assert.equal(await limitsStatus(url, apiKey), 200)
      assert.equal(await plansStatus(url, operatorKey), 200)
      await server.stop()
      assert.equal(server.stderr(), '')
      const kept = (await readdir(storeLocation.directory)).filter((file) => file.includes('key'))
      assert.deepEqual(kept, [])
    }))

  test('a port in use: a clear error, exit code 1', () =>
    withLocation(sqlite, async (_location, spawned) => {
      const holder = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => holder.once('listening', resolve))
      const { port } = holder.address() as { port: number }
      const server = spawned({ PORT: String(port) })
      const { code } = await server.exited
      holder.close()
      assert.equal(code, 1)
      assert.match(server.stderr(), new RegExp(`PORT: 127\\.0\\.0\\.1:${port} is in use by another process`))
      assert.ok(!server.stderr().includes('    at '), 'no stack')
    }))

  test('existing data with a wrong or missing master key: exit code 78, and no key file is created', () =>
    withLocation(sqlite, async (storeLocation, spawned) => {
      const first = spawned()
      await first.ready
      await first.stop()
      const file = join(storeLocation.directory, 'master-key')
      const wrong = randomBytes(32).toString('base64')

      const withWrong = spawned({ MASTER_KEY: wrong })
      assert.equal((await withWrong.exited).code, 78)
      assert.match(withWrong.stderr(), /MASTER_KEY: the data was encrypted with another master key/)
      assert.ok(!withWrong.stderr().includes(wrong))

      await rm(file)
      const without = spawned()
      assert.equal((await without.exited).code, 78)
      assert.match(
        without.stderr(),
        /MASTER_KEY: the data is encrypted, neither MASTER_KEY nor MASTER_KEY_FILE is set, and \/.*\/master-key does not exist/,
      )
      await assert.rejects(stat(file), 'a refused start must not leave a key that opens nothing')
    }))

  test('a damaged master key file is named, and is not replaced', () =>
    withLocation(sqlite, async (storeLocation, spawned) => {
      const file = join(storeLocation.directory, 'master-key')
      await writeFile(file, 'damaged\n')
      const server = spawned()
      assert.equal((await server.exited).code, 78)
      assert.match(server.stderr(), /MASTER_KEY: \/.*\/master-key does not hold 32 bytes in base64/)
      assert.equal(await readFile(file, 'utf8'), 'damaged\n')
    }))

  test('a data directory that cannot be created: exit code 78', () =>
    withLocation(sqlite, async (storeLocation, spawned) => {
      await writeFile(join(storeLocation.directory, 'file'), '')
      const server = spawned({ DATA_DIR: join(storeLocation.directory, 'file', 'below') })
      assert.equal((await server.exited).code, 78)
      assert.match(server.stderr(), /DATA_DIR: cannot be made or opened \(ENOTDIR\)/)
    }))

  test('a database server that is not reachable: a clear error without the password, exit code 1', () =>
    withLocation(sqlite, async (_location, spawned) => {
      const server = spawned({ DATABASE_URL: 'postgres://someone:canary@127.0.0.1:1/none' })
      assert.equal((await server.exited).code, 1)
      assert.match(server.stderr(), /DATABASE_URL: the database cannot be reached.*ECONNREFUSED/)
      assert.ok(!server.stderr().includes('canary'))
    }))
})

describe('boot: one server per data directory, and its stop', { concurrency: 3 }, () => {
  test('a second server refuses to start with a reason, the first keeps running, and a kill leaves the directory free', () =>
    withLocation(sqlite, async (storeLocation, spawned) => {
      const first = spawned()
      const url = await first.ready
      const key = await secretIn(storeLocation, 'first-api-key')
      const second = spawned()
      assert.equal((await second.exited).code, 1)
      assert.match(second.stderr(), /another Switchboard server is running on the data directory/)
      assert.equal(await limitsStatus(url, key), 200)
      await first.stop('SIGKILL')
      assert.equal(await limitsStatus(await spawned().ready, key), 200)
    }))

  test('of two concurrent first starts one succeeds, with complete keys', () =>
    withLocation(sqlite, async (storeLocation, spawned) => {
      const servers = [spawned(), spawned()]
      const started = await Promise.allSettled(servers.map((server) => server.ready))
      const urls = started.filter((start) => start.status === 'fulfilled').map(({ value }) => value)
      assert.equal(urls.length, 1)
      const url = urls[0] as string
      assert.equal(await limitsStatus(url, await secretIn(storeLocation, 'first-api-key')), 200)
      assert.equal(await plansStatus(url, await secretIn(storeLocation, 'operator-key')), 200)
    }))

  test('after a kill at any step of the first start, the next start has a working key', () =>
    withLocation(sqlite, async (storeLocation, spawned) => {
      for (const file of ['master-key', 'operator-key', 'switchboard.db', 'first-api-key']) {
        const server = spawned()
        await appears(join(storeLocation.directory, file), server)
        await server.stop('SIGKILL')
      }
      const url = await spawned().ready
      assert.equal(await limitsStatus(url, await secretIn(storeLocation, 'first-api-key')), 200)
      assert.equal(await plansStatus(url, await secretIn(storeLocation, 'operator-key')), 200)
    }))

  test('a request in flight at SIGTERM is answered, then the process exits with 0', () =>
    withLocation(sqlite, async (storeLocation, spawned) => {
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

  test('a request that never ends does not delay the exit with 0 beyond 20 s', () =>
    withLocation(sqlite, async (storeLocation, spawned) => {
      const server = spawned()
      const url = await server.ready
      await halfRequest(url, await secretIn(storeLocation, 'first-api-key'), '{"instanceName":"Never"}')
      server.child.kill('SIGINT')
      await assertCleanExit(server.exited, server.stdout)
    }))
})

/** Resolves when the file exists, or when the server is ready without it. */
async function appears(path: string, server: ServerProcess): Promise<void> {
  let ready = false
  void server.ready.then(
    () => (ready = true),
    () => undefined,
  )
  // oxlint-disable-next-line no-unmodified-loop-condition -- set when the promise above resolves
  while (!ready) {
    if (await stat(path).catch(() => undefined)) return
    await pause(1)
  }
}
