// What an instance that follows a person sees of devices that are linked to that person's account: a device that is shown as online makes
// the person available, and any other device changes nothing.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourCases } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import {
  api,
  linkedInstance,
  newInstance,
  newNumber,
  until,
  untilReceived,
  untilState,
  world,
} from '../support/linked.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

/** What the first test leaves behind. */
const ENDED = ['unavailable', 'available', 'unavailable']

for (const { engine, variant: addressing } of behaviourCases(['pn', 'lid'] as const))
  describe(`presence after a link on ${engine.name} (${addressing})`, () => {
    const [watcher, person] = [newNumber(), newNumber()]
    const key = newKey()
    let storeLocation: StoreLocation
    let gateway: StartedHere
    let line = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      const operator = newKey()
      gateway = await startHere(storeLocation, key, { OPERATOR_KEY: operator, ...(await onOwnSandbox()) })
      await world({ ...gateway, key: operator }, 'POST /network', { addressing })
      await world(gateway, 'POST /phones', { number: person, name: 'Paula' })
      line = await linkedInstance(gateway, watcher)
    })
    after(async () => {
      await gateway.stop()
      await storeLocation.dispose()
    })

    const reported = async (): Promise<string[]> => {
      const query = `instanceName=${line}&events=presence.update&limit=500`
      const { events } = await api(gateway, `GET /events?${query}`)
      return events.map(({ data }: { data: { presence: string } }) => data.presence)
    }
    const untilReported = (expected: string[]) =>
      until(`presences ${expected.join()}`, async () =>
        (await reported()).length >= expected.length ? true : undefined,
      )
    const link = async (settings: object): Promise<string> => {
      const name = await newInstance(gateway)
      await api(gateway, `PATCH /instance/settings?instanceName=${name}`, settings)
      await world(gateway, `POST /phones/${person}/scan`, { instanceName: name })
      await untilState(gateway, name, 'open')
      return name
    }

    test('available is reported right after the link of a device that is shown as online, and not again', async () => {
      await world(gateway, `POST /phones/${person}/presence`, { available: false })
      await api(gateway, 'POST /people/presence', { instanceName: line, subscribe: [person] })
      await untilReported(['unavailable'])
      const online = await link({ alwaysOnline: true })
      await untilReported(['unavailable', 'available'])
      await api(gateway, `DELETE /instance/logout?instanceName=${online}`)
      await untilReported(['unavailable', 'available', 'unavailable'])
      assert.deepEqual(await reported(), ['unavailable', 'available', 'unavailable'])
    })

    test('nothing is reported when the person was available before, or the device is not shown as online', async () => {
      await world(gateway, `POST /phones/${person}/presence`, { available: true })
      await untilReported([...ENDED, 'available'])
      const names = [await link({ alwaysOnline: true }), await link({ alwaysOnline: false })]
      // The network shows the presence again with each presence of a new device, and each time it is the one that is known.
      for (const name of names) await api(gateway, `DELETE /instance/logout?instanceName=${name}`)
      await world(gateway, `POST /phones/${person}/presence`, { available: false })
      await untilReported([...ENDED, 'available', 'unavailable'])
      assert.deepEqual(await reported(), [...ENDED, 'available', 'unavailable'])
    })

    test('a device that is not shown as online does not become available by what changes in its login', async () => {
      const before = (await reported()).length
      const name = await link({ alwaysOnline: false })
      await world(gateway, `POST /phones/${watcher}/send`, { to: person, text: 'are you away?' })
      await untilReceived(gateway, name, 'are you away?')
      // Behind each presence that the network has passed on.
      await world(gateway, `POST /phones/${person}/send`, { to: watcher, text: 'yes, still' })
      await untilReceived(gateway, line, 'yes, still')
      assert.ok(!(await reported()).slice(before).includes('available'))
    })
  })
