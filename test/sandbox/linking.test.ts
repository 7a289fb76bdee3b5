// What the network may do while a device is being linked, besides linking it: the driver against the sandbox network.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LinkingVariant } from '../../src/contract/sandbox-linking.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import { openPairing } from '../support/pairing-session.ts'
import { Client } from './support/client.ts'
import { World } from './support/world.ts'

describe('linking', () => {
  let world: World
  let last = 0
  before(async () => {
    world = await World.start()
  })
  after(() => world.stop())

  const phone = async (...variants: LinkingVariant[]): Promise<string> => {
    last += 1
    const number = await world.phone(`55119000002${String(last).padStart(2, '0')}`, 'Paula')
    for (const variant of variants) await world.post('/faults', { number, kind: 'linking', variant })
    return number
  }
  const devicesOf = async (number: string) =>
    (await world.get(`/phones/${number}`, answers.phone)).phone.devices.length
  const partsOf = (qr: string) => qr.slice(qr.indexOf('#') + 1).split(',')
  const waitingForCode = async (number: string) => {
    const pairing = await openPairing(world)
    await pairing.next('qr')
    return { pairing, code: await pairing.session.requestPairingCode(number) }
  }

  test('when the network retires the secret of a QR code, the same reference is shown with another secret', async () => {
    const number = await phone('registration_refresh')
    const pairing = await openPairing(world)
    const first = (await pairing.next('qr')).code
    const refused = await world.ask('POST', `/phones/${number}/scan`, { qr: first })
    assert.deepEqual([refused.status, refused.body['reason']], [410, 'qr_expired'])
    const second = (await pairing.next('qr')).code
    assert.equal(partsOf(second)[0], partsOf(first)[0])
    assert.notEqual(partsOf(second)[3], partsOf(first)[3])
    const old = await world.ask('POST', `/phones/${number}/scan`, { qr: first })
    assert.equal(old.body['reason'], 'qr_expired')
    await world.post(`/phones/${number}/scan`, { qr: second })
    assert.equal((await pairing.next('closed')).cause, 'restart')
    assert.equal(await devicesOf(number), 1)
  })

  test('a login that the network confirms before the device is linked is ignored', async () => {
    const number = await phone('early_success')
    const pairing = await openPairing(world)
    await world.post(`/phones/${number}/scan`, { qr: (await pairing.next('qr')).code })
    assert.equal((await pairing.next('closed')).cause, 'restart')
    assert.ok(!pairing.events.some(({ kind }) => kind === 'opened'))
    const again = await openPairing(world, { credentials: pairing.credentials })
    assert.equal((await again.next('opened')).account.number, number)
    await again.session.close()
  })

  test('a refused request for a pairing code is an error, and the QR code still works', async () => {
    const number = await phone('code_refused')
    const pairing = await openPairing(world)
    const { code: qr } = await pairing.next('qr')
    await assert.rejects(pairing.session.requestPairingCode(number), { kind: 'refused', code: 400 })
    await world.post(`/phones/${number}/scan`, { qr })
    assert.equal((await pairing.next('closed')).cause, 'restart')
  })

  test('the network issues no pairing code to a client that names a system which does not exist', async () => {
    const number = await phone()
    const client = new Client(world, { browser: ['Acme', 'Chrome', '1'] })
    await client.qr()
    await client.socket.requestPairingCode(number, 'ABCD1234')
    await client.roundTrip()
    const answer = await world.ask('POST', `/phones/${number}/enter-code`, { code: 'ABCD1234' })
    assert.equal(answer.body['reason'], 'code_not_requested')
    await client.end()
  })

  test('a code that the network replaces is reported, and the new one links the device', async () => {
    const number = await phone('code_refresh')
    const { pairing, code } = await waitingForCode(number)
    const refused = await world.ask('POST', `/phones/${number}/enter-code`, { code })
    assert.equal(refused.body['reason'], 'code_expired')
    const { code: second } = await pairing.next('pairing_code')
    assert.notEqual(second, code)
    await world.post(`/phones/${number}/enter-code`, { code: second })
    assert.equal((await pairing.next('closed')).cause, 'restart')
    assert.equal(await devicesOf(number), 1)
  })

  test('a code that only the owner may replace ends the connection as expired', async () => {
    const number = await phone('code_refresh_by_owner')
    const { pairing, code } = await waitingForCode(number)
    await world.ask('POST', `/phones/${number}/enter-code`, { code })
    assert.equal((await pairing.next('closed')).cause, 'code_expired')
    assert.ok(!pairing.events.some(({ kind }) => kind === 'pairing_code'))
  })

  test('news about a code without the key of a phone are ignored', async () => {
    const number = await phone('hello_without_key')
    const { pairing, code } = await waitingForCode(number)
    await world.post(`/phones/${number}/enter-code`, { code })
    assert.equal((await pairing.next('closed')).cause, 'restart')
    assert.equal(await devicesOf(number), 1)
  })
})
