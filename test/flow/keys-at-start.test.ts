// Keys that come from the environment, from files or from the data: which of them open what, and which starts are refused without
// a change of the data. How a refusal ends the process is in boot.test.ts.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { SettingsError } from '../../src/config.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { Engine, StoreLocation } from '../support/engines.ts'
import { startGateway } from '../support/gateway.ts'
import { newKey } from '../support/started.ts'

/** Another start follows on this location. */
const kept = (storeLocation: StoreLocation): StoreLocation => ({
  ...storeLocation,
  dispose: async () => undefined,
})

/** A start that succeeds against expectation must not keep the test's process alive. */
const startedAndStopped = async (
  engine: Engine,
  environment: Record<string, string>,
  storeLocation: StoreLocation,
) => (await startGateway(engine, environment, {}, kept(storeLocation))).stop()

const refused = (
  engine: Engine,
  storeLocation: StoreLocation,
  environment: Record<string, string>,
  fault: RegExp,
) =>
  assert.rejects(startedAndStopped(engine, environment, storeLocation), (error: Error) => {
    assert.ok(error instanceof SettingsError, error.message)
    assert.match(error.message, fault)
    for (const value of Object.values(environment)) assert.ok(!error.message.includes(value))
    return true
  })

for (const engine of behaviourEngines('postgres')) {
  describe(`keys at the start on ${engine.name}`, () => {
    test('an API_KEY that is the content of operator-key is refused', async () => {
      const storeLocation = await engine.createLocation()
      const key = newKey()
      await writeFile(join(storeLocation.directory, 'operator-key'), `${key}\n`)
      await refused(engine, storeLocation, { API_KEY: key }, /API_KEY: must be different from OPERATOR_KEY/)
      const gateway = await startGateway(engine, {}, {}, storeLocation)
      assert.equal((await gateway.call('listInstances', { key })).status, 401)
      assert.equal((await gateway.call('adminListPlans', { key })).status, 200)
      await gateway.stop()
    })

    test('an OPERATOR_KEY that opens an account is refused, wherever the account got it from', async () => {
      const storeLocation = await engine.createLocation()
      const first = await startGateway(engine, {}, {}, kept(storeLocation))
      const firstKey = first.app.firstKey as string
      const { key } = await first.account()
      await first.stop()
      for (const OPERATOR_KEY of [firstKey, key])
        await refused(
          engine,
          storeLocation,
          { OPERATOR_KEY },
          /OPERATOR_KEY: expected a key that opens no account/,
        )
      const again = await startGateway(engine, {}, {}, storeLocation)
      assert.equal((await again.call('adminListPlans', { key: firstKey })).status, 401)
      await again.stop()
    })

    test('a key of the first account that changes in the environment replaces the previous one', async () => {
      const storeLocation = await engine.createLocation()
      const [old, fresh] = [newKey(), newKey()]
      for (const [key, other] of [
        [old, fresh],
        [fresh, old],
        [old, fresh],
      ] as const) {
        const gateway = await startGateway(engine, { API_KEY: key }, {}, kept(storeLocation))
        const statusWith = async (each: string) => (await gateway.call('accountLimits', { key: each })).status
        assert.deepEqual([await statusWith(key), await statusWith(other)], [200, 401])
        await gateway.stop()
      }
      await storeLocation.dispose()
    })

    test('a wrong or missing master key is refused, and the data open with the right one afterwards', async () => {
      const storeLocation = await engine.createLocation()
      await (await startGateway(engine, {}, {}, kept(storeLocation))).stop()
      const file = join(storeLocation.directory, 'master-key')
      const right = await readFile(file, 'utf8')
      const wrong = { MASTER_KEY: randomBytes(32).toString('base64') }
      await refused(
        engine,
        storeLocation,
        wrong,
        /MASTER_KEY: the data was encrypted with another master key/,
      )
      await rm(file)
      await refused(
        engine,
        storeLocation,
        {},
        /MASTER_KEY: the data is encrypted, neither MASTER_KEY nor MASTER_KEY_FILE is set/,
      )
      await assert.rejects(stat(file), 'a refused start must not leave a key that opens nothing')
      await writeFile(file, right, { mode: 0o600 })
      await (await startGateway(engine, {}, {}, storeLocation)).stop()
    })

    test('an operator-key that no caller can send is refused and named', async () => {
      const storeLocation = await engine.createLocation()
      for (const text of ['', 'short', `${newKey()} ${newKey()}`]) {
        await writeFile(join(storeLocation.directory, 'operator-key'), text)
        await refused(engine, storeLocation, {}, /OPERATOR_KEY: operator-key in DATA_DIR does not hold/)
      }
      await storeLocation.dispose()
    })
  })
}
