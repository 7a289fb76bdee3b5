// Linking instances with phones, over a gateway and its sandbox network: each way to pair, each way to unlink, and the
// states between.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { withDatabase } from '../support/database.ts'
import type { StoreLocation } from '../support/engines.ts'
import {
  api,
  ask,
  devicesOf,
  type LinkedGateway,
  linkedInstance,
  newInstance,
  newNumber,
  OPENED,
  SHOWN,
  stateOf,
  until,
  untilState,
  updatesOf,
  world,
} from '../support/linked.ts'
import { readQrCode } from '../support/qr-reader.ts'
import { png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

const query = (name: string) => `instanceName=${name}`
const refusal = async (gateway: LinkedGateway, call: string, body?: unknown) => {
  const { status, json } = await ask(gateway, call, body)
  return [status, json?.reason]
}

/** Everything that a login leaves in the database. */
const loginRows = (storeLocation: StoreLocation, name: string) =>
  withDatabase(storeLocation, async (database) => {
    const [row] = await database.rows<Record<string, string>>(
      `select (select count(*) from session_keys where instance_id = i.id) as keys,
         (select count(*) from inbox where instance_id = i.id) as arrivals,
         (select count(*) from data_keys where scope = 'instance:' || i.id) as data_keys
       from instances i where api_name = '${name}'`,
    )
    return { keys: Number(row?.keys), arrivals: Number(row?.arrivals), dataKeys: Number(row?.data_keys) }
  })

for (const engine of behaviourEngines()) {
  describe(`pairing on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let gateway: StartedHere
    before(async () => {
      storeLocation = await engine.createLocation()
      gateway = await startHere(storeLocation, newKey(), await onSharedSandbox())
    })
    after(async () => {
      await gateway.stop()
      await storeLocation.dispose()
    })
    const phone = async (): Promise<string> => {
      const number = newNumber()
      await world(gateway, 'POST /phones', { number, name: 'Paula' })
      return number
    }

    test('by QR: the image holds the code, a phone scans it, and the instance opens with that number', async () => {
      const name = await newInstance(gateway)
      await untilState(gateway, name, 'connecting/awaiting_scan')
      const { qr } = await api(gateway, `POST /instance/connect?${query(name)}`, {})
      const picture = await ask(gateway, `GET /api/v1/instance/qr/image?${query(name)}`)
      assert.equal(picture.headers.get('content-type'), 'image/png')
      assert.equal(await readQrCode(picture.bytes), qr.code)

      const number = await phone()
      await world(gateway, `POST /phones/${number}/scan`, { qr: await readQrCode(picture.bytes) })
      await untilState(gateway, name, 'open')
      assert.deepEqual(await updatesOf(gateway, name), [...SHOWN, ...OPENED])
      const { instances } = await api(gateway, 'GET /instance/list')
      const mine = instances.find((one: { apiInstanceName: string }) => one.apiInstanceName === name)
      assert.deepEqual(
        [mine.number, mine.isConnected, mine.owner, mine.stateReason],
        [number, true, `${number}@s.whatsapp.net`, null],
      )
      assert.equal((await devicesOf(gateway, number)).length, 1)
    })

    test('an open instance needs no code, cannot be deleted, and reports its number', async () => {
      const number = newNumber()
      const name = await linkedInstance(gateway, number)
      const connected = [409, 'instance_already_connected']
      assert.deepEqual(await refusal(gateway, `GET /api/v1/instance/qr/image?${query(name)}`), connected)
      assert.deepEqual(await refusal(gateway, `POST /api/v1/instance/connect?${query(name)}`, {}), connected)
      assert.deepEqual(await refusal(gateway, `DELETE /api/v1/instance/delete?${query(name)}`), [
        409,
        'instance_still_connected',
      ])
      const friend = await phone()
      const found = await api(gateway, `GET /check-number?${query(name)}&number=${friend}`)
      assert.deepEqual([found.data.exists, found.data.jid], [true, `${friend}@s.whatsapp.net`])
      const unknown = await api(gateway, `GET /check-number?${query(name)}&number=${newNumber()}`)
      assert.equal(unknown.data.exists, false)

      await world(gateway, 'POST /groups', { subject: 'Choir', members: [number, friend], admin: friend })
      const groups = await until('the group', async () => {
        const answer = await api(gateway, `GET /groups?${query(name)}&participants=true`)
        return answer.count === 1 ? answer.groups : undefined
      })
      assert.deepEqual([groups[0].subject, groups[0].size, groups[0].isAdmin], ['Choir', 2, false])

      const pictureCall = `GET /api/v1/instance/profile-picture?${query(name)}`
      assert.deepEqual(await refusal(gateway, pictureCall), [404, 'profile_picture_not_found'])
      await world(gateway, `POST /phones/${number}/picture`, { base64: png().toString('base64') })
      const picture = await ask(gateway, pictureCall)
      assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
      assert.deepEqual(picture.bytes, png())
    })

    test('by code: a wrong code is refused and changes nothing, the right one opens the instance', async () => {
      const name = await newInstance(gateway)
      await untilState(gateway, name, 'connecting/awaiting_scan')
      const number = await phone()
      const { pairingCode, qr } = await api(gateway, `POST /instance/connect?${query(name)}`, { number })
      assert.match(pairingCode, /^[0-9A-Z]{8}$/)
      assert.equal(qr, null)
      const wrong = pairingCode === 'ABCD1234' ? 'ABCD1235' : 'ABCD1234'
      const enter = `POST /sandbox/v1/phones/${number}/enter-code`
      assert.deepEqual(await refusal(gateway, enter, { code: wrong }), [409, 'wrong_code'])
      assert.equal(await stateOf(gateway, name), 'connecting/awaiting_scan')
      // A code to type wants a connection of its own.
      const reported = [...SHOWN, ...SHOWN, 'pairing code']
      assert.deepEqual(await updatesOf(gateway, name), reported)
      assert.equal((await devicesOf(gateway, number)).length, 0)

      await world(gateway, `POST /phones/${number}/enter-code`, { code: pairingCode })
      await untilState(gateway, name, 'open')
      assert.deepEqual(await updatesOf(gateway, name), [...reported, ...OPENED])
      assert.equal((await devicesOf(gateway, number)).length, 1)
    })

    test('a new code invalidates the previous one', async () => {
      const name = await newInstance(gateway)
      const number = await phone()
      const first = await api(gateway, `POST /instance/connect?${query(name)}`, { number })
      const second = await api(gateway, `POST /instance/connect?${query(name)}`, { number })
      assert.notEqual(first.pairingCode, second.pairingCode)
      const [status] = await refusal(gateway, `POST /sandbox/v1/phones/${number}/enter-code`, {
        code: first.pairingCode,
      })
      assert.equal(status, 409)
      await world(gateway, `POST /phones/${number}/enter-code`, { code: second.pairingCode })
      await untilState(gateway, name, 'open')
    })

    test('a scan returns without a device while the network demands the passkey of the phone', async () => {
      const name = await newInstance(gateway)
      const number = await phone()
      await world(gateway, `POST /phones/${number}/passkey`, { demanded: true })
      await untilState(gateway, name, 'connecting/awaiting_scan')
      const { device } = await world(gateway, `POST /phones/${number}/scan`, { instanceName: name })
      assert.equal(device, null)
      assert.equal((await devicesOf(gateway, number)).length, 0)
    })

    test('502 when the network refuses a pairing code, instead of a code that no phone accepts', async () => {
      const name = await newInstance(gateway)
      const number = await phone()
      await world(gateway, 'POST /faults', { number, kind: 'linking', variant: 'code_refused' })
      const { status, json } = await ask(gateway, `POST /api/v1/instance/connect?${query(name)}`, { number })
      assert.deepEqual([status, json?.reason, json?.networkCode], [502, 'refused_by_network', 400])
    })

    test('a pairing code that the network replaces is reported as an event, and opens the instance', async () => {
      const name = await newInstance(gateway)
      const number = await phone()
      await world(gateway, 'POST /faults', { number, kind: 'linking', variant: 'code_refresh' })
      const { pairingCode } = await api(gateway, `POST /instance/connect?${query(name)}`, { number })
      await refusal(gateway, `POST /sandbox/v1/phones/${number}/enter-code`, { code: pairingCode })
      const code = await until('the new code', async () => {
        const { events } = await api(gateway, `GET /events?instanceName=${name}&limit=100`)
        const codes = (events as { data: { pairingCode?: string | null } }[]).flatMap(
          ({ data }) => data.pairingCode ?? [],
        )
        return codes.find((each) => each !== pairingCode)
      })
      await world(gateway, `POST /phones/${number}/enter-code`, { code })
      await untilState(gateway, name, 'open')
    })

    test('a second scan of the same code is refused; the instance stays with the first phone', async () => {
      const name = await newInstance(gateway)
      const { qr } = await api(gateway, `POST /instance/connect?${query(name)}`, {})
      const [first, second] = [await phone(), await phone()]
      await world(gateway, `POST /phones/${first}/scan`, { qr: qr.code })
      const [status, reason] = await refusal(gateway, `POST /sandbox/v1/phones/${second}/scan`, {
        qr: qr.code,
      })
      assert.ok(
        [409, 410].includes(status) && ['qr_used', 'qr_expired'].includes(reason),
        `${status} ${reason}`,
      )
      await untilState(gateway, name, 'open')
      assert.deepEqual(await updatesOf(gateway, name), [...SHOWN, ...OPENED])
      const { instance } = await api(gateway, `GET /instance/state?${query(name)}`)
      assert.equal(instance.number, first)
      assert.equal((await devicesOf(gateway, second)).length, 0)
    })

    test('unlinked by the phone: close/logged_out, the login is destroyed, and the instance can pair again', async () => {
      const number = newNumber()
      const name = await linkedInstance(gateway, number)
      const before = await loginRows(storeLocation, name)
      assert.ok(before.keys > 0 && before.dataKeys === 1)
      await world(gateway, 'POST /faults', { number, kind: 'unlink' })
      await untilState(gateway, name, 'close/logged_out')
      assert.deepEqual(await loginRows(storeLocation, name), { keys: 0, arrivals: 0, dataKeys: 0 })
      assert.deepEqual(await updatesOf(gateway, name), [...SHOWN, ...OPENED, 'close/logged_out'])
      const send = { instanceName: name, number: newNumber(), message: 'hello' }
      assert.deepEqual(await refusal(gateway, 'POST /api/v1/send/text', send), [
        409,
        'instance_not_connected',
      ])

      const { qr } = await api(gateway, `POST /instance/connect?${query(name)}`, {})
      await world(gateway, `POST /phones/${await phone()}/scan`, { qr: qr.code })
      await untilState(gateway, name, 'open')
    })

    test('logged out over the API: the phone drops the device, a second log-out succeeds, and the instance can pair again or be deleted', async () => {
      const number = newNumber()
      const name = await linkedInstance(gateway, number)
      for (let round = 0; round < 2; round += 1) {
        const answer = await api(gateway, `DELETE /instance/logout?${query(name)}`)
        assert.equal(answer.connectionState, 'close')
      }
      assert.equal(await stateOf(gateway, name), 'close/logged_out')
      assert.deepEqual(await loginRows(storeLocation, name), { keys: 0, arrivals: 0, dataKeys: 0 })
      // The last update is still in flight when the call is answered.
      await until('no device', async () => (await devicesOf(gateway, number)).length === 0 || undefined)
      assert.deepEqual(await updatesOf(gateway, name), [...SHOWN, ...OPENED, 'close/logged_out'])

      await api(gateway, `POST /instance/connect?${query(name)}`, {})
      await world(gateway, `POST /phones/${number}/scan`, { instanceName: name })
      await untilState(gateway, name, 'open')
      await api(gateway, `DELETE /instance/logout?${query(name)}`)
      const deleted = await api(gateway, `DELETE /instance/delete?${query(name)}`)
      assert.deepEqual([deleted.instanceDeleted, deleted.instanceMissing], [true, false])
    })

    test('deleted while it shows a code: the code no longer pairs', async () => {
      const name = await newInstance(gateway)
      const { qr } = await api(gateway, `POST /instance/connect?${query(name)}`, {})
      await api(gateway, `DELETE /instance/delete?${query(name)}`)
      const number = await phone()
      const reason = await until('the code to be worthless', async () => {
        const [status, why] = await refusal(gateway, `POST /sandbox/v1/phones/${number}/scan`, {
          qr: qr.code,
        })
        assert.notEqual(status, 200)
        return status === 410 ? why : undefined
      })
      assert.equal(reason, 'qr_expired')
    })

    test('restart drops and reopens the connection as the same linked device', async () => {
      const number = newNumber()
      const name = await linkedInstance(gateway, number)
      const [device] = (await devicesOf(gateway, number)) as { id: number }[]
      const { instance } = await api(gateway, `POST /instance/restart?${query(name)}`)
      assert.equal(instance.state, 'connecting')
      assert.deepEqual(await untilState(gateway, name, 'open').then((seen) => seen.at(-1)), 'open')
      assert.deepEqual(await updatesOf(gateway, name), [...SHOWN, ...OPENED, ...OPENED])
      const devices = (await devicesOf(gateway, number)) as { id: number; online: boolean }[]
      assert.deepEqual(
        devices.map(({ id }) => id),
        [device?.id],
      )
    })
  })
}
