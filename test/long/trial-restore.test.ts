// A restored copy beside its original: it connects no session, sends nothing and posts nothing until the operator resumes it.
// Then it takes over and sends each queued message once (decision 0076).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { SandboxProcesses } from '../sandbox/support/process.ts'
import { World } from '../sandbox/support/world.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { done, runCliHere, scratchDirectory, settingsOf } from '../support/cli.ts'
import { withDatabase } from '../support/database.ts'
import type { Engine } from '../support/engines.ts'
import {
  api,
  ask,
  linkedInstance,
  newNumber,
  stateOf,
  until,
  untilState,
  updatesOf,
} from '../support/linked.ts'
import { logLines } from '../support/process.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

/** A receiver that leaves requests open until the test lets it answer. */
async function startReceiver(): Promise<{ host: WebHost; ids: string[]; answer(): void }> {
  const ids: string[] = []
  const waiting: (() => void)[] = []
  let isSilent = true
  const host = await startWebHost(
    (request, response) => {
      ids.push(String(request.headers['webhook-id']))
      request.resume()
      if (isSilent) waiting.push(() => response.end('ok'))
      else response.end('ok')
    },
    { tls: 'trusted' },
  )
  return {
    host,
    ids,
    answer() {
      isSilent = false
      for (const end of waiting) end()
    },
  }
}

const heldLine = (server: Started): unknown =>
  logLines(server).find((line) => line['msg'] === 'listening')?.['held']

const health = async (server: Started, path: string): Promise<unknown> =>
  ((await (await fetch(server.url + path)).json()) as { held: unknown }).held

for (const engine of behaviourEngines())
  describe(`a trial restore on ${engine.name}`, () => declareFor(engine))

function declareFor(engine: Engine): void {
  test('the copy connects, sends and posts nothing beside production, and takes over when it is resumed', async () => {
    const sandboxes = new SandboxProcesses()
    const receiver = await startReceiver()
    const [source, target] = [await engine.createLocation(), await engine.createLocation()]
    const servers: Started[] = []
    try {
      const { world } = await sandboxes.start({ DATA_DIR: await scratchDirectory() })
      const key = newKey()
      const environment = {
        SANDBOX_URL: world.sandbox.url,
        SANDBOX_KEY: World.apiKey,
        ALLOW_TARGETS: '127.0.0.1',
        EXTRA_CA_FILE: AUTHORITY_FILE,
      }
      const production = await startWithKey(source, key, environment)
      servers.push(production)
      const [openNumber, cutNumber, friend] = [newNumber(), newNumber(), newNumber()]
      const open = await linkedInstance(production, openNumber)
      const cut = await linkedInstance(production, cutNumber)
      await world.phone(friend, 'Friend')
      // From here on one line cannot connect: what is sent over it is queued when the backup is made.
      await world.post('/faults', { number: cutNumber, kind: 'refuse' })
      await world.post('/faults', { number: cutNumber, kind: 'disconnect' })
      await untilState(production, cut, 'connecting/network_lost')
      await api(production, 'POST /webhooks', { url: `${receiver.host.url}/hook` })
      const queued: string[] = []
      for (const message of ['first', 'second']) {
        const body = { instanceName: cut, number: friend, message, delay: 0 }
        queued.push((await api(production, 'POST /send/text', body)).messageId)
      }
      // The first delivery hangs at the receiver, and the second waits behind it.
      await until('a post', async () => (receiver.ids.length > 0 ? true : undefined))

      const backup = join(await scratchDirectory(), 'backup')
      done(await runCliHere(['backup', backup], settingsOf(source)))
      const masterKey = (await readFile(join(source.directory, 'master-key'), 'utf8')).trim()
      const settings = { ...settingsOf(target), MASTER_KEY: masterKey }
      assert.equal(done(await runCliHere(['restore', backup, '--json'], settings)).json.held, true)
      const deliveriesOf = (storeLocation: typeof target) =>
        withDatabase(storeLocation, (db) =>
          db.rows<{ status: string; tries: number | string }>(
            'select status, tries from deliveries order by id',
          ),
        )
      const restored = await deliveriesOf(target)
      assert.ok(restored.length >= 2 && restored.every(({ status }) => status !== 'delivered'))
      receiver.answer()
      await until('production has delivered', async () =>
        (await deliveriesOf(source)).every(({ status }) => status === 'delivered') ? true : undefined,
      )

      const copy = await startWithKey(target, key, { ...environment, MASTER_KEY: masterKey })
      servers.push(copy)
      assert.equal(heldLine(copy), 'restored')
      assert.equal(heldLine(production), undefined)
      for (const path of ['/readyz', '/healthz']) {
        assert.deepEqual([await health(copy, path), await health(production, path)], ['restored', null])
      }
      const refused = await ask(copy, 'POST /api/v1/send/text', {
        instanceName: open,
        number: friend,
        message: 'from the copy',
      })
      assert.deepEqual([refused.status, refused.json.reason], [503, 'gateway_held'])
      assert.equal(await stateOf(copy, open), 'close/held')
      assert.equal((await api(copy, `GET /messages/${queued[0]}`)).message.status, 'queued')

      // Production continues: by then the copy has done everything that it does at its start.
      const body = { instanceName: open, number: friend, message: 'from production', delay: 0 }
      const { messageId } = await api(production, 'POST /send/text', body)
      await world.shown(friend, messageId)
      await until('production has delivered again', async () =>
        (await deliveriesOf(source)).every(({ status }) => status === 'delivered') ? true : undefined,
      )
      assert.equal(await stateOf(production, open), 'open')
      assert.ok(!(await updatesOf(production, open)).some((word) => word.includes('replaced')))
      // Each post is an attempt of production. A receipt may still cause one, and an attempt is counted after its
      // post, so both sides are read until they agree. A post of the copy would keep them apart.
      await until('as many posts as attempts of production', async () => {
        const deliveries = await deliveriesOf(source)
        const attempts = deliveries.reduce((sum, { tries }) => sum + Number(tries), 0)
        const isSettled = deliveries.every(({ status }) => status === 'delivered')
        return isSettled && receiver.ids.length === attempts ? true : undefined
      })
      const untouched = await deliveriesOf(target)
      assert.deepEqual(untouched.slice(0, restored.length), restored)
      const shownTo = async (id: string) =>
        (await world.messages(friend)).filter((one) => one.id === id).length
      assert.deepEqual(await Promise.all(queued.map(shownTo)), [0, 0])

      const doctor = await runCliHere(['doctor', '--json', '--url', copy.url], { ...settings, API_KEY: key })
      const warned = (doctor.json.findings as { check: string; status: string; found: string }[]).filter(
        ({ status, found }) => status === 'warning' && found.includes('held'),
      )
      assert.deepEqual(warned.map(({ check }) => check).toSorted(), ['hold', 'server'])
      const unsure = await runCliHere(['resume', '--json'], settings)
      assert.deepEqual([unsure.code, unsure.json.held, unsure.json.resumed], [1, true, false])
      assert.equal(await health(copy, '/readyz'), 'restored')

      assert.deepEqual(await production.stop('SIGTERM'), { code: 0, signal: null })
      await world.ask('DELETE', `/faults?number=${cutNumber}`)
      const postedBefore = receiver.ids.length
      assert.equal(done(await runCliHere(['resume', '--yes', '--json'], settings)).json.resumed, true)
      await untilState(copy, open, 'open')
      await untilState(copy, cut, 'open')
      for (const id of queued) await world.shown(friend, id)
      await until('the copy posts', async () => (receiver.ids.length > postedBefore ? true : undefined))
      assert.deepEqual(await Promise.all(queued.map(shownTo)), [1, 1])
      assert.equal(await health(copy, '/readyz'), null)
      const again = done(await runCliHere(['resume', '--yes', '--json'], settings))
      assert.deepEqual([again.json.held, again.json.resumed], [false, false])

      assert.deepEqual(await copy.stop('SIGTERM'), { code: 0, signal: null })
      const next = await startWithKey(target, key, { ...environment, MASTER_KEY: masterKey })
      servers.push(next)
      assert.equal(heldLine(next), undefined, 'still resumed after a restart')
      await next.stop('SIGTERM')
    } finally {
      for (const { child } of servers) child.kill('SIGKILL')
      await receiver.host.close()
      sandboxes.end()
      await source.dispose()
      await target.dispose()
    }
  })
}
