// The start of the real process in full: its keys, its refusals, kills, and its exit (decisions 1). `test/flow/boot.test.ts` has the usual
// start and stop.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Engine, engines } from '../support/engines.ts'
import { assertCleanExit } from '../support/exit.ts'
import { limitsStatus, plansStatus, secretIn, withLocation } from '../support/first-start.ts'
import type { ServerProcess } from '../support/process.ts'
import { halfRequest } from '../support/raw-http.ts'

const sqlite = engines.find(({ name }) => name === 'sqlite') as Engine

describe('boot: settings', { concurrency: 2 }, () => {
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
