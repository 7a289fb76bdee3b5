// A store that is full, locked or unreachable: requests get 503 and Retry-After, no uncommitted send gets 200, and the server
// recovers without a restart (promise A7).
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { databaseFile } from '../../src/store/engines/sqlite/open.ts'
import { openDatabase, withDatabase } from '../support/database.ts'
import { type Engine, engines, type StoreLocation, temporaryDirectory } from '../support/engines.ts'
import { until as untilSeen } from '../support/linked.ts'
import { startProxy } from '../support/proxy.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { makeLoggedIn, newKey, post, type Started, startWithKey } from '../support/started.ts'

const POLL_MS = 10

interface Sender {
  server: Started
  /** Sends once; the message's id where it was acknowledged. Any other answer than 200 and a proper 503 fails the test. */
  send(): Promise<string | undefined>
  /** Sends until one is acknowledged, or one is refused. */
  until(acknowledged: boolean): Promise<void>
  acknowledged: string[]
}

async function sender(
  storeLocation: StoreLocation,
  run: (sender: Sender) => Promise<void>,
  more: Record<string, string> = {},
): Promise<void> {
  const server = await startWithKey(storeLocation, newKey(), { ...(await onSharedSandbox()), ...more })
  const acknowledged: string[] = []
  try {
    const instanceName = await makeLoggedIn(server, storeLocation)
    const send = async () => {
      const answer = await post(server, '/send/text', {
        instanceName,
        number: '5511912345678',
        message: 'x'.repeat(5000),
      })
      const json = (await answer.json()) as { messageId: string; reason: string }
      if (answer.status === 200) {
        acknowledged.push(json.messageId)
        return json.messageId
      }
      assert.deepEqual(
        [answer.status, json.reason],
        [503, 'unavailable'],
        `${JSON.stringify(json)} ${server.stdout().slice(-2000)}`,
      )
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
      return undefined
    }
    const until = async (wanted: boolean) => {
      while (((await send()) !== undefined) !== wanted) await pause(POLL_MS)
    }
    await run({ server, send, until, acknowledged })
    await withDatabase(storeLocation, async (database) => {
      const rows = await database.rows<{ id: string }>('select id from messages')
      const ids = new Set(rows.map(({ id }) => id))
      assert.deepEqual(
        acknowledged.filter((id) => !ids.has(id)),
        [],
        'what was acknowledged is there',
      )
    })
  } finally {
    await server.stop('SIGKILL')
  }
}

const readiness = async ({ url }: Started): Promise<{ status: number; failed?: string[] }> => {
  const answer = await fetch(`${url}/readyz`)
  const { failed } = (await answer.json()) as { failed?: string[] }
  // A session that changed its state meanwhile is not saved either.
  const other = failed?.filter((check) => check !== 'sessions')
  return { status: answer.status, ...(other === undefined ? {} : { failed: other }) }
}
const NOT_READY = { status: 503, failed: ['store'] }
/** A state that could not be saved meanwhile is saved within seconds of the store's return. */
const untilReady = async (server: Started): Promise<void> => {
  while ((await readiness(server)).status !== 200) await pause(POLL_MS)
}

/** A write that was refused is not yet a check that failed. */
const untilNotReady = (server: Started): Promise<unknown> =>
  untilSeen('not ready', async () => isDeepStrictEqual(await readiness(server), NOT_READY) || undefined)

const engineNamed = (wanted: Engine['name']): Engine | undefined =>
  engines.find(({ name }) => name === wanted)

describe('trouble on sqlite', () => {
  const engine = engineNamed('sqlite') as Engine

  test('a full disk: 503 until there is space again', async (t) => {
    const directory = await temporaryDirectory()
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', directory]).status !== 0) {
      await rm(directory, { recursive: true })
      t.skip('no right to mount a small disk here')
      return
    }
    try {
      await sender(
        { directory, databaseUrl: undefined, dispose: async () => undefined },
        async ({ server, send, until }) => {
          assert.ok(await send())
          const ballast = join(directory, 'ballast')
          // Writes as much as fits and then fails, as it should.
          await writeFile(ballast, Buffer.alloc(8_000_000)).catch(() => undefined)
          await until(false)
          await untilNotReady(server)
          assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
          assert.equal((await post(server, '/instance/create', { instanceName: 'Full' })).status, 503)
          await rm(ballast)
          await until(true)
          await untilReady(server)
        },
      )
    } finally {
      spawnSync('umount', [directory])
      await rm(directory, { recursive: true })
    }
  })

  test('a database locked by another process: 503 for writes until the lock is released, reads succeed', async () => {
    const storeLocation = await engine.createLocation()
    try {
      await sender(storeLocation, async ({ server, send, until }) => {
        assert.ok(await send())
        const other = new DatabaseSync(databaseFile(storeLocation.directory), { timeout: 5000 })
        other.exec('begin immediate')
        await until(false)
        await untilNotReady(server)
        const list = await fetch(`${server.url}/api/v1/instance/list`, {
          headers: { authorization: `Bearer ${server.key}` },
        })
        assert.equal(list.status, 200)
        assert.equal((await post(server, '/instance/create', { instanceName: 'Locked' })).status, 503)
        other.exec('rollback')
        other.close()
        await until(true)
        await untilReady(server)
      })
    } finally {
      await storeLocation.dispose()
    }
  })
})

const postgres = engineNamed('postgres')
if (postgres) {
  describe('trouble on postgres', () => {
    test('connections that are terminated repeatedly under load: only 200 and 503, nothing lost, the server keeps running', async () => {
      const storeLocation = await postgres.createLocation()
      const database = await openDatabase(storeLocation)
      try {
        await sender(storeLocation, async ({ server, send, until }) => {
          let over = false
          const clients = Array.from({ length: 8 }, async (_, client) => {
            // oxlint-disable-next-line no-unmodified-loop-condition -- set below, when the rounds are over
            while (!over) {
              await send()
              // Transactions of several statements are also cut in the middle.
              if (client % 4 === 0) await post(server, '/instance/create', { instanceName: 'Cut' })
            }
          })
          for (let round = 1; round <= 10; round += 1) {
            await Promise.race([until(true), ...clients])
            await database.rows(
              `select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and application_name = 'switchboard'`,
            )
          }
          over = true
          await Promise.all(clients)
          await until(true)
          await untilReady(server)
          assert.equal(server.child.exitCode, null)
        })
      } finally {
        await database.close()
        await storeLocation.dispose()
      }
    })

    test('a database server that is unreachable for a while: 503 meanwhile, then normal service', async () => {
      const storeLocation = await postgres.createLocation()
      const url = new URL(storeLocation.databaseUrl as string)
      const proxy = await startProxy({ host: url.hostname, port: Number(url.port || 5432) })
      url.port = String(proxy.port)
      try {
        await sender(
          storeLocation,
          async ({ server, send, until }) => {
            assert.ok(await send())
            await proxy.shut()
            await until(false)
            await untilNotReady(server)
            assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
            const metrics = await (await fetch(`${server.url}/metrics`)).text()
            assert.match(metrics, /^switchboard_metrics_unreadable_total [1-9]/m)
            await proxy.open()
            await until(true)
            await untilReady(server)
          },
          { DATABASE_URL: url.href, DATA_DIR: storeLocation.directory },
        )
      } finally {
        await proxy.shut()
        await storeLocation.dispose()
      }
    })
  })
}
