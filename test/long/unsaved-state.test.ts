// A session that ends while the database is unavailable: the stored state is corrected once the database is back, and a log-out
// is either not begun or completed, also by the next start (promise A7).
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { databaseFile } from '../../src/store/engines/sqlite/open.ts'
import { World } from '../sandbox/support/world.ts'
import { withDatabase } from '../support/database.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import {
  api,
  ask,
  devicesOf,
  linkedInstance,
  newNumber,
  stateOf,
  until,
  untilReceived,
  untilState,
} from '../support/linked.ts'
import { startProxy } from '../support/proxy.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const MAX_TRIES = 5

/** A database that a test takes away from the gateway and gives back. */
interface Outage {
  environment: Record<string, string>
  begin(): Promise<void>
  end(): Promise<void>
  dispose(): Promise<void>
}

function lockedFile(storeLocation: StoreLocation): Outage {
  const other = () => new DatabaseSync(databaseFile(storeLocation.directory), { timeout: 5000 })
  let lock: DatabaseSync | undefined
  return {
    environment: {},
    async begin() {
      lock = other()
      lock.exec('begin immediate')
    },
    async end() {
      lock?.exec('rollback')
      lock?.close()
      lock = undefined
    },
    dispose: async () => undefined,
  }
}

async function cutServer(databaseUrl: string): Promise<Outage> {
  const url = new URL(databaseUrl)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port || 5432) })
  url.port = String(proxy.port)
  let isShut = false
  const shut = async () => {
    if (!isShut) await proxy.shut()
    isShut = true
  }
  return {
    environment: { DATABASE_URL: url.href },
    begin: shut,
    async end() {
      await proxy.open()
      isShut = false
    },
    dispose: shut,
  }
}

for (const engine of engines) {
  describe(`a session that ends while the database is unavailable, on ${engine.name}`, () => {
    let world: World
    let storeLocation: StoreLocation
    let outage: Outage
    let gateway: Started
    const start = (key: string) =>
      startWithKey(storeLocation, key, {
        SANDBOX_URL: world.sandbox.url,
        SANDBOX_KEY: World.apiKey,
        ...outage.environment,
      })
    before(async () => {
      world = await World.start()
      storeLocation = await engine.createLocation()
      outage =
        storeLocation.databaseUrl === undefined
          ? lockedFile(storeLocation)
          : await cutServer(storeLocation.databaseUrl)
      gateway = await start(newKey())
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await outage.dispose()
      await world.stop()
      await storeLocation.dispose()
    })

    const whileAway = async (work: () => Promise<void>) => {
      await outage.begin()
      try {
        await work()
      } finally {
        await outage.end()
      }
    }
    const untilUnready = (check: string) =>
      until(`${check} is not ready`, async () => {
        const { json } = await ask(gateway, 'GET /readyz')
        return (json.failed as string[] | undefined)?.includes(check) ? true : undefined
      })

    const untilReady = () =>
      until('ready', async () => ((await ask(gateway, 'GET /readyz')).status === 200 ? true : undefined))

    for (const [kind, state] of [
      ['unlink', 'close/logged_out'],
      ['replace', 'close/replaced'],
    ] as const) {
      test(`${kind}: the gateway is not ready, and the stored state becomes ${state} once the database is back`, async () => {
        const [number, friend] = [newNumber(), newNumber()]
        const name = await linkedInstance(gateway, number)
        await world.phone(friend, 'Friend')
        let seen: string | undefined
        // A write of the login that fails ends the connection before the fault does; the session then reconnects, and the next
        // try counts. Most of these writes are over once a message arrives.
        for (let tries = 1; tries <= MAX_TRIES && seen !== state; tries += 1) {
          await world.send(friend, { to: number, text: `try ${tries} ${number}` })
          await untilReceived(gateway, name, `try ${tries} ${number}`)
          await whileAway(async () => {
            await world.post('/faults', { number, kind })
            await untilUnready('sessions')
          })
          await untilReady()
          seen = await until('an end or a new connection', async () => {
            const current = await stateOf(gateway, name)
            return current.startsWith('connecting') ? undefined : current
          })
        }
        assert.equal(seen, state)
      })
    }

    test('a log-out that cannot be recorded answers 503, and the device is still linked', async () => {
      const number = newNumber()
      const name = await linkedInstance(gateway, number)
      await whileAway(async () => {
        const refused = await ask(gateway, `DELETE /api/v1/instance/logout?instanceName=${name}`)
        assert.deepEqual([refused.status, refused.json.reason], [503, 'unavailable'])
      })
      await untilState(gateway, name, 'open')
      assert.equal((await devicesOf(gateway, number)).length, 1)
      await api(gateway, `DELETE /instance/logout?instanceName=${name}`)
      assert.equal(await stateOf(gateway, name), 'close/logged_out')
      // The last update is still in flight when the call is answered.
      await until('no device', async () =>
        (await devicesOf(gateway, number)).length === 0 ? true : undefined,
      )
    })

    test('a log-out that was recorded before the process ended is finished by the next start', async () => {
      const number = newNumber()
      const name = await linkedInstance(gateway, number)
      await gateway.stop('SIGKILL')
      await withDatabase(storeLocation, (database) =>
        database.rows(
          `update instances set logged_in = 0, state = 'close', state_reason = 'logged_out', logout_requested_at = 1
           where api_name = '${name}' returning id`,
        ),
      )
      gateway = await start(gateway.key)
      await until('the phone has no device', async () =>
        (await devicesOf(gateway, number)).length === 0 ? true : undefined,
      )
      const left = () =>
        withDatabase(storeLocation, (database) =>
          database.rows<{ left: number }>(
            `select (select count(*) from session_keys where instance_id = instances.id)
                  + (select count(*) from data_keys where scope = 'instance:' || instances.id) as left
             from instances where api_name = '${name}' and logout_requested_at is null`,
          ),
        )
      await until('the credentials are destroyed', async () =>
        Number((await left())[0]?.left) === 0 ? true : undefined,
      )
      assert.equal(await stateOf(gateway, name), 'close/logged_out')
      await api(gateway, `POST /instance/connect?instanceName=${name}`, {})
      assert.equal(
        (await ask(gateway, `POST /sandbox/v1/phones/${number}/scan`, { instanceName: name })).status,
        200,
      )
      await untilState(gateway, name, 'open')
    })
  })
}
