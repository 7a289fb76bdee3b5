// The signed pre-key of a real process is replaced again and again while people write for the first time, also across a kill. The
// network hands out each new key, and every message arrives.
import { after, before, describe, test } from 'node:test'
import { SandboxProcesses } from '../sandbox/support/process.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import {
  devicesOf,
  linkedInstance,
  newNumber,
  until,
  untilReceived,
  untilState,
  world,
} from '../support/linked.ts'
import { programFile } from '../support/program.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const [sqlite] = engines as [(typeof engines)[number]]
/** Long enough for a message to be under way meanwhile. */
const ROTATION = { SIGNED_KEY_MS: '2000' }

describe('the signed pre-key of an instance', () => {
  const sandboxes = new SandboxProcesses()
  const number = newNumber()
  let storeLocation: StoreLocation
  let gateway: Started
  let name = ''
  const start = (key: string) =>
    startWithKey(storeLocation, key, ROTATION, programFile('short-interval-server'))
  before(async () => {
    storeLocation = await sqlite.createLocation()
    gateway = await start(newKey())
    name = await linkedInstance(gateway, number)
  })
  after(async () => {
    await gateway.stop('SIGKILL')
    sandboxes.end()
    await storeLocation.dispose()
  })

  /** The number of the key that the network gives to people who write for the first time. */
  async function publishedId(): Promise<number> {
    const [device] = (await devicesOf(gateway, number)) as { signedPreKeyId: number }[]
    return device?.signedPreKeyId ?? 0
  }
  const untilPublished = (id: number): Promise<number> =>
    until(`the key ${id}`, async () => {
      const published = await publishedId()
      return published >= id ? published : undefined
    })
  async function writeFirst(text: string): Promise<void> {
    const stranger = newNumber()
    await world(gateway, 'POST /phones', { number: stranger })
    await world(gateway, `POST /phones/${stranger}/send`, { to: number, text })
    await untilReceived(gateway, name, text)
  }

  test('is replaced while the instance is connected, and first messages with each key arrive', async () => {
    for (let round = 1; round <= 3; round += 1) {
      await untilPublished(round)
      await writeFirst(`first message ${round}`)
    }
    await untilPublished(4)
  })

  test('is replaced after a kill, and a first message written meanwhile arrives', async () => {
    const before = await publishedId()
    await gateway.stop('SIGKILL')
    const { child, world: alone } = await sandboxes.start({ DATA_DIR: storeLocation.directory })
    const stranger = newNumber()
    await alone.phone(stranger, 'Stranger')
    await alone.send(stranger, { to: number, text: 'while you were away' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended

    gateway = await start(gateway.key)
    await untilState(gateway, name, 'open')
    await untilReceived(gateway, name, 'while you were away')
    await untilPublished(before + 2)
    await writeFirst('after the kill')
  })
})
