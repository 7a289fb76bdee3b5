// Linking with a passkey: the driver and the sandbox network, each with its own implementation of the step.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LinkingVariant } from '../../src/contract/sandbox-linking.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { NetworkError } from '../../src/network/network.ts'
import type { PasskeyAssertion } from '../../src/network/passkey.ts'
import { openPairing, type PairingOptions, type PairingSession } from '../support/pairing-session.ts'
import { World } from './support/world.ts'

describe('linking with a passkey', () => {
  let world: World
  let last = 0
  before(async () => {
    world = await World.start()
  })
  after(() => world.stop())

  const phone = async (): Promise<string> => {
    last += 1
    const number = await world.phone(`55119000001${String(last).padStart(2, '0')}`, 'Paula')
    await world.post(`/phones/${number}/passkey`, { demanded: true })
    return number
  }
  const phoneOf = async (number: string) => (await world.get(`/phones/${number}`, answers.phone)).phone
  const sign = async (number: string, options: Record<string, unknown>) =>
    (await world.post(`/phones/${number}/passkey/assertion`, { options }))['assertion'] as PasskeyAssertion
  const stepOf = async (pairing: PairingSession, step: string) =>
    pairing.next('passkey', (event) => event.step === step)
  const optionsOf = async (pairing: PairingSession) => {
    const event = await stepOf(pairing, 'assertion_needed')
    assert.ok(event.step === 'assertion_needed')
    return event.options
  }

  test('by QR code: the scan returns before the link, the assertion completes it, and both sides have the same code', async () => {
    const number = await phone()
    const pairing = await openPairing(world)
    const { code: qr } = await pairing.next('qr')
    assert.equal((await world.post(`/phones/${number}/scan`, { qr }))['device'], null)
    const options = await optionsOf(pairing)
    await pairing.session.answerPasskey(await sign(number, options))
    const finishing = await stepOf(pairing, 'finishing')
    assert.equal((await pairing.next('closed')).cause, 'restart')
    const { passkey, devices } = await phoneOf(number)
    assert.ok(finishing.step === 'finishing')
    assert.deepEqual(passkey, { demanded: true, step: 'linked', code: finishing.code, proven: true })
    assert.equal(devices.length, 1)
    const again = await openPairing(world, { credentials: pairing.credentials })
    assert.equal((await again.next('opened')).account.number, number)
    await again.session.close()
  })

  test('by typed code: the secret that both sides derived from the code proves the client', async () => {
    const number = await phone()
    const pairing = await openPairing(world, { deviceName: 'Acme support' })
    await pairing.next('qr')
    const code = await pairing.session.requestPairingCode(number)
    assert.equal((await world.post(`/phones/${number}/enter-code`, { code }))['device'], null)
    await pairing.session.answerPasskey(await sign(number, await optionsOf(pairing)))
    assert.equal((await pairing.next('closed')).cause, 'restart')
    const { passkey, devices } = await phoneOf(number)
    assert.deepEqual([passkey?.step, passkey?.proven], ['linked', true])
    assert.deepEqual(
      devices.map(({ platform }) => platform),
      ['Acme support'],
    )
  })

  /** A pairing in which the network demands the passkey of a new phone, with these faults. */
  const demanded = async (variants: LinkingVariant[] = [], settings: PairingOptions['settings'] = {}) => {
    const number = await phone()
    for (const variant of variants) await world.post('/faults', { number, kind: 'linking', variant })
    const pairing = await openPairing(world, { settings })
    const { code: qr } = await pairing.next('qr')
    await world.post(`/phones/${number}/scan`, { qr })
    return { number, pairing }
  }
  const endOf = async (pairing: PairingSession) => {
    const { cause, reason } = await pairing.next('closed')
    return [cause, reason]
  }
  const refused = (pairing: PairingSession, assertion: PasskeyAssertion, kind: string) =>
    assert.rejects(pairing.session.answerPasskey(assertion), (error: NetworkError) => error.kind === kind)

  test('options that are missing are asked for', async () => {
    const { number, pairing } = await demanded(['options_missing'])
    await pairing.session.answerPasskey(await sign(number, await optionsOf(pairing)))
    assert.deepEqual(await endOf(pairing), ['restart', undefined])
  })

  for (const [variants, reason] of [
    [['options_missing', 'options_error'], 'refused'],
    [['options_missing', 'drop_at_options'], 'lost'],
    [['drop_after_request'], 'lost'],
  ] as [LinkingVariant[], string][])
    test(`${variants.at(-1)}: the link ends as ${reason} before there is an assertion`, async () => {
      const { pairing } = await demanded(variants)
      assert.deepEqual(await endOf(pairing), ['passkey_ended', reason])
    })

  for (const variant of ['ref_error', 'prologue_error', 'drop_at_ref', 'drop_at_prologue'] as const)
    test(`${variant}: the assertion is refused, and the link ends`, async () => {
      const { number, pairing } = await demanded([variant])
      const assertion = await sign(number, await optionsOf(pairing))
      const isLost = variant.startsWith('drop')
      await refused(pairing, assertion, isLost ? 'unavailable' : 'refused')
      assert.deepEqual(await endOf(pairing), ['passkey_ended', isLost ? 'lost' : 'refused'])
      assert.equal((await phoneOf(number)).devices.length, 0)
    })

  for (const [variant, reason] of [
    ['nonce_error', 'refused'],
    ['pairing_request_error', 'refused'],
    ['drop_before_continuation', 'lost'],
    ['drop_at_nonce', 'lost'],
    ['drop_at_pairing_request', 'lost'],
  ] as const)
    test(`${variant}: the assertion is accepted, and the link ends as ${reason}`, async () => {
      const { number, pairing } = await demanded([variant])
      await pairing.session.answerPasskey(await sign(number, await optionsOf(pairing)))
      assert.deepEqual(await endOf(pairing), ['passkey_ended', reason])
      assert.equal((await phoneOf(number)).devices.length, 0)
    })

  test('a phone that does not answer leaves the link at assertion_sent, and a second assertion is refused', async () => {
    const { number, pairing } = await demanded(['continuation_withheld'])
    const options = await optionsOf(pairing)
    await pairing.session.answerPasskey(await sign(number, options))
    await stepOf(pairing, 'assertion_sent')
    await refused(pairing, await sign(number, options), 'unavailable')
    await assert.rejects(pairing.session.confirmPasskey(), { kind: 'unavailable' })
    await pairing.session.close()
    assert.deepEqual(await endOf(pairing), ['ended', undefined])
  })

  test('a second request starts again with other options: the earlier assertion is refused, a new one completes the link', async () => {
    const { number, pairing } = await demanded(['second_request'])
    const first = await optionsOf(pairing)
    await pairing.session.answerPasskey(await sign(number, first))
    const second = await optionsOf(pairing)
    assert.notEqual(second['challenge'], first['challenge'])
    await refused(pairing, await sign(number, first), 'unavailable')
    await pairing.session.answerPasskey(await sign(number, second))
    assert.deepEqual(await endOf(pairing), ['restart', undefined])
    // The proof was made with the secret of the code that the phone has read.
    assert.equal((await phoneOf(number)).passkey?.proven, true)
  })

  test('an assertion that was made on another page is refused by the network', async () => {
    const { number, pairing } = await demanded()
    const body = { options: await optionsOf(pairing), origin: 'https://example.com' }
    const { assertion } = await world.post(`/phones/${number}/passkey/assertion`, body)
    await refused(pairing, assertion as PasskeyAssertion, 'refused')
    assert.deepEqual(await endOf(pairing), ['passkey_ended', 'refused'])
  })

  test('without a proof in time the owner compares the codes, and the link waits for that', async () => {
    let now = Date.now()
    const { number, pairing } = await demanded([], { clock: () => now })
    const options = await optionsOf(pairing)
    now += 5 * 60_000 + 1
    await pairing.session.answerPasskey(await sign(number, options))
    const compared = await stepOf(pairing, 'confirmation_needed')
    const { passkey, devices } = await phoneOf(number)
    assert.ok(compared.step === 'confirmation_needed')
    assert.deepEqual(passkey, { demanded: true, step: 'compared', code: compared.code, proven: false })
    assert.equal(devices.length, 0)
    await pairing.session.confirmPasskey()
    await stepOf(pairing, 'finishing')
    assert.deepEqual(await endOf(pairing), ['restart', undefined])
  })

  test('a gateway that does not allow passkeys ends the link', async () => {
    const { pairing } = await demanded([], { passkeys: false })
    assert.deepEqual(await endOf(pairing), ['passkey_ended', 'disabled'])
    assert.ok(!pairing.events.some(({ kind }) => kind === 'passkey'))
  })

  test('nothing of the step is logged or stored', async () => {
    const { number, pairing } = await demanded()
    const options = await optionsOf(pairing)
    const assertion = await sign(number, options)
    await pairing.session.answerPasskey(assertion)
    await endOf(pairing)
    const stored = await pairing.credentials.read('creds', ['creds'])
    const kept = [
      ...pairing.log,
      ...[...stored.values()].map((bytes) => Buffer.from(bytes).toString()),
    ].join()
    assert.equal(stored.size, 1)
    for (const secret of [options['challenge'], assertion.rawId, ...Object.values(assertion.response)])
      assert.ok(!kept.includes(String(secret)), 'a value of the step')
  })
})
