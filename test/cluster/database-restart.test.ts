// The database is unavailable for a moment: sessions stay connected, and what arrives meanwhile is stored afterwards.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { engines } from '../support/engines.ts'
import { callSuccessfully, linkedInstance, newNumber, untilReceived, updatesOf } from '../support/linked.ts'
import { type Proxy, startProxy } from '../support/proxy.ts'
import { type LiveNode, type NodeGroup, startGroup } from './support/nodes.ts'

const engine = engines.find(({ name }) => name === 'postgres')
/** As long as a restart of the server takes on a busy machine. */
const AWAY_MS = 1500
const INSTANCES = 3

if (engine)
  describe('a database that is unavailable for a moment', () => {
    const friend = newNumber()
    const numbers = Array.from({ length: INSTANCES }, newNumber)
    let group: NodeGroup
    let toDatabase: Proxy
    let node: LiveNode
    let names: string[]
    /** The network itself, which does not need the database. */
    const network = (call: string, body?: unknown) =>
      callSuccessfully(
        { url: group.settings['SANDBOX_URL'] as string, key: group.settings['SANDBOX_KEY'] as string },
        call.replace(' ', ' /sandbox/v1'),
        body,
      )
    before(async () => {
      group = await startGroup(engine)
      const url = new URL(group.settings['DATABASE_URL'] as string)
      toDatabase = await startProxy({ host: url.hostname, port: Number(url.port || 5432) })
      url.hostname = '127.0.0.1'
      url.port = String(toDatabase.port)
      node = await group.startNode(undefined, { DATABASE_URL: url.href })
      await network('POST /phones', { number: friend })
      names = []
      for (const number of numbers) names.push(await linkedInstance(node, number))
    })
    after(async () => {
      await group?.stop()
      await toDatabase?.shut()
    })

    test('sessions stay connected, and messages that come meanwhile are received', async () => {
      const before = await Promise.all(names.map((name) => updatesOf(node, name)))
      await toDatabase.shut()
      for (const [index, to] of numbers.entries())
        await network(`POST /phones/${friend}/send`, { to, text: `meanwhile ${index}` })
      await pause(AWAY_MS)
      await toDatabase.open()
      for (const [index, name] of names.entries()) await untilReceived(node, name, `meanwhile ${index}`)
      assert.deepEqual(await Promise.all(names.map((name) => updatesOf(node, name))), before)
    })
  })
