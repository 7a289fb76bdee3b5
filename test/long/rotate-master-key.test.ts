// The command that rotates the master key: it can be killed at any moment, and the data always opens with the previous or the new key.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newMasterKeyText } from '../../src/data-dir/secrets.ts'
import { unseal } from '../../src/store/seal.ts'
import { isMasterKeyOf, MASTER_KEY_MARK, wrapCell } from '../../src/store/vault.ts'
import { behaviourEngines, isLong } from '../support/behaviour-engines.ts'
import { settingsOf, startCli } from '../support/cli.ts'
import { withDatabase } from '../support/database.ts'
import type { StoreLocation } from '../support/engines.ts'
import { startGateway } from '../support/gateway.ts'
import { until } from '../support/linked.ts'
import { openStore } from '../support/open-store.ts'

/** At different moments of the command. `npm run test:long` tries more of them. */
const KILLS = isLong ? 12 : 3
/** The command cannot change the data until the transaction that these begin has ended. */
const HOLD_DATA_KEYS = {
  sqlite: ['begin immediate'],
  postgres: ['begin', 'lock table data_keys in exclusive mode'],
}
const kept = (storeLocation: StoreLocation): StoreLocation => ({
  ...storeLocation,
  dispose: async () => undefined,
})
const fileOf = (storeLocation: StoreLocation, name: string) =>
  readFile(join(storeLocation.directory, name), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )

function start(storeLocation: StoreLocation, environment: Record<string, string> = {}, args: string[] = []) {
  const child = startCli(['rotate-master-key', ...args], { ...settingsOf(storeLocation), ...environment })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { child, ended }
}

/** Which of these keys opens the mark; every data key must open with the same one. */
async function openingKey(storeLocation: StoreLocation, keys: (string | undefined)[]): Promise<string> {
  const store = await openStore(storeLocation)
  try {
    const { value } = await store.db
      .selectFrom('facts')
      .select('value')
      .where('name', '=', MASTER_KEY_MARK)
      .executeTakeFirstOrThrow()
    const key = keys.find((each) => each !== undefined && isMasterKeyOf(value, Buffer.from(each, 'base64')))
    assert.ok(key !== undefined, 'neither the previous nor the new key opens the data')
    const wrapped = await store.db.selectFrom('data_keys').select(['scope', 'wrapped']).execute()
    assert.ok(wrapped.length > 0)
    for (const row of wrapped) unseal(Buffer.from(key, 'base64'), wrapCell(row.scope), row.wrapped)
    return key
  } finally {
    await store.close()
  }
}

for (const engine of behaviourEngines()) {
  describe(`rotate-master-key on ${engine.name}`, () => {
    async function used(environment: Record<string, string> = {}) {
      const storeLocation = await engine.createLocation()
      const gateway = await startGateway(engine, environment, {}, kept(storeLocation))
      const account = await gateway.account()
      const saved = await account.call('saveWebhook', { body: { url: 'https://example.com/hook' } })
      assert.equal(saved.status, 200)
      return { storeLocation, gateway, account }
    }

    test('is refused while a server uses the data', async () => {
      const { storeLocation, gateway } = await used()
      const before = await fileOf(storeLocation, 'master-key')
      const { code, output } = await start(storeLocation).ended
      assert.notEqual(code, 0, output)
      await gateway.stop()
      assert.equal(await fileOf(storeLocation, 'master-key'), before)
      assert.equal(await openingKey(storeLocation, [before]), before)
      await storeLocation.dispose()
    })

    test(`killed ${KILLS} times, it leaves data that opens, and completes when it is run again`, async () => {
      const { storeLocation, gateway, account } = await used()
      await gateway.stop()
      const first = await fileOf(storeLocation, 'master-key')
      const whole = performance.now()
      assert.equal((await start(storeLocation).ended).code, 0)
      const wholeMs = performance.now() - whole
      const rotated = await fileOf(storeLocation, 'master-key')
      assert.notEqual(rotated, first)
      assert.equal(await fileOf(storeLocation, 'master-key.old'), first)
      assert.equal(await openingKey(storeLocation, [rotated]), rotated)
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const { child, ended } = start(storeLocation)
        // Most of the time passes before the rotation begins.
        await Promise.race([ended, pause(wholeMs * (0.6 + (0.4 * kill) / KILLS))])
        child.kill('SIGKILL')
        await ended
        const keys = [
          await fileOf(storeLocation, 'master-key'),
          await fileOf(storeLocation, 'master-key.new'),
        ]
        await openingKey(storeLocation, keys)
      }
      const { code, output } = await start(storeLocation).ended
      assert.equal(code, 0, output)
      assert.equal(await fileOf(storeLocation, 'master-key.new'), undefined)
      const last = await fileOf(storeLocation, 'master-key')
      assert.equal(await openingKey(storeLocation, [last]), last)
      const again = await startGateway(engine, {}, {}, storeLocation)
      assert.equal((await again.call('listWebhooks', { key: account.key })).status, 200)
      await again.stop()
    })

    test('the new key is on disk before the data changes, and the next run takes it', async () => {
      const { storeLocation, gateway } = await used()
      await gateway.stop()
      const first = await fileOf(storeLocation, 'master-key')
      const next = await withDatabase(storeLocation, async ({ rows }) => {
        for (const statement of HOLD_DATA_KEYS[engine.name]) await rows(statement)
        const { child, ended } = start(storeLocation)
        const key = await until('the new key', () => fileOf(storeLocation, 'master-key.new'))
        child.kill('SIGKILL')
        await ended
        await rows('rollback')
        return key
      })
      assert.equal(await openingKey(storeLocation, [first]), first)
      assert.equal((await start(storeLocation).ended).code, 0)
      assert.equal(await fileOf(storeLocation, 'master-key'), next)
      assert.equal(await openingKey(storeLocation, [next]), next)
      await storeLocation.dispose()
    })

    test('with MASTER_KEY in the environment the new key comes from a file, and a second run changes nothing', async () => {
      const [previous, next] = [newMasterKeyText(), newMasterKeyText()]
      const { storeLocation, gateway } = await used({ MASTER_KEY: previous })
      await gateway.stop()
      const MASTER_KEY = previous
      const missing = await start(storeLocation, { MASTER_KEY }).ended
      assert.notEqual(missing.code, 0)
      assert.match(missing.output, /--new-key-file/)
      const file = join(storeLocation.directory, 'next')
      await writeFile(file, next)
      for (const expected of ['was rotated', 'already has the new master key']) {
        const { code, output } = await start(storeLocation, { MASTER_KEY }, ['--new-key-file', file]).ended
        assert.equal(code, 0, output)
        assert.ok(output.includes(expected), output)
        assert.ok(!output.includes(next) && !output.includes(previous))
      }
      assert.equal(await openingKey(storeLocation, [next]), next)
      await assert.rejects(
        startGateway(engine, { MASTER_KEY: previous }, {}, kept(storeLocation)),
        /MASTER_KEY/,
      )
      await (await startGateway(engine, { MASTER_KEY: next }, {}, storeLocation)).stop()
    })
  })
}
