// The version of the client, over a real process and a sandbox network of its own: a network that refuses old clients, and how the gateway
// gets a version that it accepts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { builtInVersion } from '../../src/whatsapp/library/versions.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { done, runCli, runCliHere, settingsOf } from '../support/cli.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import {
  api,
  linkedInstance,
  newInstance,
  newNumber,
  stateOf,
  until,
  untilState,
  updatesOf,
  world,
} from '../support/linked.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const [primary, secondary, revision] = builtInVersion()
const BUILT_IN = [primary, secondary, revision].join('.')
/** A version that is newer than the one of the library. */
const ahead = (by: number) => [primary, secondary, revision + by].join('.')

for (const engine of behaviourEngines())
  describe(`the version of the client on ${engine.name}`, () => {
    const [key, operator, number] = [newKey(), newKey(), newNumber()]
    let storeLocation: StoreLocation
    let gateway: Started
    let name: string
    let sandbox: Record<string, string>
    const start = async (more: Record<string, string> = {}) => {
      gateway = await startWithKey(storeLocation, key, { OPERATOR_KEY: operator, ...sandbox, ...more })
    }
    const restart = async (more: Record<string, string> = {}) => {
      await gateway.stop()
      await start(more)
    }
    const setNetwork = (body: object) => world({ ...gateway, key: operator }, 'POST /network', body)
    const disconnect = () => world(gateway, 'POST /faults', { number, kind: 'disconnect' })
    const versionFinding = async (more: Record<string, string> = {}) => {
      const skipped = ['store', 'files', 'disk', 'clock', 'server', 'proxies', 'nodes', 'ffmpeg', 'network']
      const args = ['doctor', '--json', ...skipped.flatMap((each) => ['--skip', each])]
      const { stdout } = done(await runCliHere(args, { ...settingsOf(storeLocation), ...sandbox, ...more }))
      const { findings } = JSON.parse(stdout) as { findings: { check: string; found: string }[] }
      return findings.find(({ check }) => check === 'version')?.found ?? ''
    }
    before(async () => {
      storeLocation = await engine.createLocation()
      sandbox = await onOwnSandbox()
      await start()
      name = await linkedInstance(gateway, number)
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await storeLocation.dispose()
    })

    test('when the network refuses it, the gateway reads the new one and reconnects without help', async () => {
      await setNetwork({ minimumVersion: ahead(1000) })
      const before = (await updatesOf(gateway, name)).length
      await disconnect()
      const updates = await until('the instance to be open again', async () => {
        const later = (await updatesOf(gateway, name)).slice(before)
        return later.at(-1) === 'open' ? later : undefined
      })
      assert.equal(updates[0], 'connecting/network_lost')
      assert.ok(!updates.includes('close/client_outdated'), updates.join())
      assert.match(await versionFinding(), new RegExp(`^${ahead(1000)}, read from the page of the network`))
    })

    test('a new instance is paired with it', async () => {
      await linkedInstance(gateway, newNumber())
    })

    test('a restart uses the stored one, although the page announces an older one by then', async () => {
      await setNetwork({ announcedVersion: BUILT_IN })
      await restart()
      await untilState(gateway, name, 'open')
      await setNetwork({ announcedVersion: null })
    })

    test('without a newer one the instance is close/client_outdated with the time of the next attempt', async () => {
      await setNetwork({ minimumVersion: ahead(2000), announcedVersion: ahead(1000) })
      await disconnect()
      await untilState(gateway, name, 'close/client_outdated')
      const { instance } = await api(gateway, `GET /instance/state?instanceName=${name}`)
      assert.ok(Date.parse(instance.stateReasonUntil) > Date.now(), instance.stateReasonUntil)

      await setNetwork({ announcedVersion: null })
      // Reads after a refusal are ten seconds apart.
      await until('a session with the new version', async () => {
        if ((await stateOf(gateway, name)) === 'close/client_outdated')
          await api(gateway, `POST /instance/restart?instanceName=${name}`)
        return (await stateOf(gateway, name)) === 'open' ? true : undefined
      })
    })

    test('WHATSAPP_VERSION overrides it: an old one is refused, and one that the page does not have is accepted', async () => {
      await setNetwork({ minimumVersion: ahead(3000), announcedVersion: ahead(2000) })
      const pinned = { WHATSAPP_VERSION: ahead(2500) }
      await restart(pinned)
      await untilState(gateway, name, 'close/client_outdated')
      assert.match(await versionFinding(pinned), new RegExp(`^${ahead(2500)}, set by WHATSAPP_VERSION`))
      await restart({ WHATSAPP_VERSION: ahead(3000) })
      await untilState(gateway, name, 'open')
      await newInstance(gateway)
    })
  })

test('an invalid WHATSAPP_VERSION stops the start with a text that names the setting', async () => {
  const [sqlite] = engines as [(typeof engines)[number]]
  const storeLocation = await sqlite.createLocation()
  const expected = /WHATSAPP_VERSION: expected a version such as 2\.3000\.1023456789/
  const { code, stderr } = await runCli(['serve'], { ...settingsOf(storeLocation), WHATSAPP_VERSION: 'new' })
  assert.equal(code, 78)
  assert.match(stderr, expected)
  assert.ok(!stderr.includes('new'))
  for (const WHATSAPP_VERSION of ['2.3000', '2.3000.99999999999', '2.3000.1-beta'])
    assert.throws(
      () => readSettings({ WHATSAPP_VERSION }),
      ({ message }: Error) =>
        expected.test(message) && (WHATSAPP_VERSION === '2.3000' || !message.includes(WHATSAPP_VERSION)),
    )
  await storeLocation.dispose()
})
