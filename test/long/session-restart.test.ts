// Logins survive the process: after a stop and after a kill every instance has its state again, and messages written meanwhile
// arrive. The sandbox network starts and ends with its gateway.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { SandboxProcesses } from '../sandbox/support/process.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import {
  api,
  ask,
  devicesOf,
  linkedInstance,
  newInstance,
  newNumber,
  OPENED,
  SHOWN,
  stateOf,
  until,
  untilReceived,
  untilState,
  untilUpdates,
  world,
} from '../support/linked.ts'
import { logLines } from '../support/process.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const [sqlite] = engines as [(typeof engines)[number]]

describe('a gateway that is started again', () => {
  const sandboxes = new SandboxProcesses()
  const friend = newNumber()
  let storeLocation: StoreLocation
  let gateway: Started
  let [number, linked, replaced, unpaired] = ['', '', '', '']
  before(async () => {
    storeLocation = await sqlite.createLocation()
    gateway = await startWithKey(storeLocation, newKey())
    number = newNumber()
    linked = await linkedInstance(gateway, number)
    const other = newNumber()
    replaced = await linkedInstance(gateway, other)
    await world(gateway, 'POST /faults', { number: other, kind: 'replace' })
    await untilState(gateway, replaced, 'close/replaced')
    await world(gateway, 'POST /phones', { number: friend })
  })
  after(async () => {
    await gateway.stop('SIGKILL')
    sandboxes.end()
    await storeLocation.dispose()
  })

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`after ${signal} the login opens again without a scan, and messages written meanwhile arrive`, async () => {
      unpaired = await newInstance(gateway, 'Unpaired')
      const [device] = (await devicesOf(gateway, number)) as { id: number }[]
      const exit = await gateway.stop(signal)
      if (signal === 'SIGTERM') assert.equal(exit.code, 0)
      const text = `while you were gone ${signal}`
      await writeWhileDown(text)

      gateway = await startWithKey(storeLocation, gateway.key)
      await untilState(gateway, linked, 'open')
      await untilReceived(gateway, linked, text)
      const devices = (await devicesOf(gateway, number)) as { id: number }[]
      assert.deepEqual(
        devices.map(({ id }) => id),
        [device?.id],
      )
      const body = { instanceName: linked, number: friend, message: `back after ${signal}`, delay: 0 }
      const { messageId } = await api(gateway, 'POST /send/text', body)
      await world(gateway, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
    })

    test(`after ${signal} a replaced instance stays replaced, and one that never paired is stopped`, async () => {
      assert.equal(await stateOf(gateway, replaced), 'close/replaced')
      assert.equal(await stateOf(gateway, unpaired), 'close/stopped')
    })
  }

  /** The network goes on while the gateway is down; here it is the same world in a process of its own. */
  async function writeWhileDown(text: string): Promise<void> {
    const { child, world: alone } = await sandboxes.start({ DATA_DIR: storeLocation.directory })
    await alone.send(friend, { to: number, text })
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
  }
})

const hasProc = existsSync('/proc/self/task')

describe('the sandbox network of a gateway', { skip: hasProc ? false : 'needs /proc' }, () => {
  let storeLocation: StoreLocation
  let gateway: Started
  before(async () => {
    storeLocation = await sqlite.createLocation()
    gateway = await startWithKey(storeLocation, newKey(), {
      OPERATOR_KEY: newKey(),
      MASTER_KEY: 'A'.repeat(43) + '=',
    })
  })
  after(async () => {
    await gateway.stop('SIGKILL')
    await storeLocation.dispose()
  })
  const childOf = async (pid: number | undefined): Promise<number | undefined> => {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    return Number(children.trim().split(' ')[0]) || undefined
  }

  test('inherits nothing of the environment that it does not need', async () => {
    const environment = await readFile(`/proc/${await childOf(gateway.child.pid)}/environ`, 'utf8')
    const names = environment
      .split('\0')
      .filter((entry) => entry !== '' && !entry.startsWith('NODE_CHANNEL'))
      .map((entry) => entry.split('=')[0])
    // The cache of compiled code is passed on where one is set.
    const needed = new Set(['API_KEY', 'DATA_DIR', 'HOST', 'NODE_COMPILE_CACHE', 'PORT', 'SANDBOX_EXIT_WITH'])
    assert.deepEqual(
      names.filter((name) => !needed.has(name ?? '')),
      [],
    )
    assert.ok(!environment.includes(gateway.key))
  })

  test('is restarted when it dies: the gateway logs that, is not ready meanwhile, and sessions reconnect', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    process.kill((await childOf(gateway.child.pid)) ?? 0, 'SIGKILL')
    const unready = await until('not ready', async () => {
      const reply = await ask(gateway, 'GET /readyz')
      return reply.status === 503 ? reply : undefined
    })
    assert.deepEqual(unready.json.failed, ['sandbox'])
    await untilUpdates(gateway, name, [...SHOWN, ...OPENED, 'connecting/network_lost', 'open'])
    await until('ready', async () => ((await ask(gateway, 'GET /readyz')).status === 200 ? true : undefined))
    await until('the log line', async () =>
      logLines(gateway).find(({ msg }) => /sandbox network restarts.*SIGKILL/.test(String(msg))),
    )
  })

  test('ends when its gateway is killed', async () => {
    const child = await childOf(gateway.child.pid)
    await gateway.stop('SIGKILL')
    await until('the end of the sandbox', async () => (existsSync(`/proc/${child}`) ? undefined : true))
  })
})
