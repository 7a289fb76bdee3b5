// Linking with a passkey over the real driver and the sandbox network: the API from the scan to the open instance, and each end.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { LinkingVariant } from '../../src/contract/sandbox-linking.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import { type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

type Json = Awaited<ReturnType<SandboxWorld['api']>>

describe('linking with a passkey', () => {
  let running: SandboxWorld
  let last = 0
  const lines: string[] = []
  /** What no log, event or database may contain. */
  const secrets: string[] = []
  before(async () => {
    running = await startSandboxWorld({}, (line) => void lines.push(line))
  })
  after(() => running.stop())

  const state = async (instanceName: string): Promise<Json> =>
    running.api('instanceState', { query: { instanceName } })
  const untilState = (name: string, expected: string) =>
    until(
      () => state(name),
      ({ instance }) => `${instance.state}/${instance.stateReason}` === expected,
      `${name} ${expected}`,
    )
  const demand = async (name: string) =>
    (await running.api('getPasskey', { query: { instanceName: name } })).passkey
  const sign = async (number: string, options: object, origin?: string): Promise<Json> =>
    (
      await running.world.post(`/phones/${number}/passkey/assertion`, {
        options,
        ...(origin === undefined ? {} : { origin }),
      })
    )['assertion']
  const hand = (instanceName: string, assertion: Json) => {
    const { clientDataJSON, signature } = assertion.response
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    secrets.push(clientDataJSON, signature, challenge)
    return send(instanceName, assertion)
  }
  const send = (instanceName: string, assertion: Json) =>
    running.call('answerPasskey', { query: { instanceName }, body: { assertion } })

  /** An instance that a phone has scanned, or whose code it has typed, and of which the network demands the passkey. */
  async function scanned(
    by: 'qr' | 'code' = 'qr',
    variant?: LinkingVariant,
  ): Promise<{ name: string; number: string }> {
    last += 1
    const number = await running.world.phone(`55119700002${String(last).padStart(2, '0')}`, 'Paula')
    await running.world.post(`/phones/${number}/passkey`, { demanded: true })
    if (variant) await running.world.post('/faults', { kind: 'linking', number, variant })
    const { instance } = await running.api('createInstance', { body: { instanceName: 'Shop' } })
    const name: string = instance.apiInstanceName
    const query = { instanceName: name }
    const { pairingCode } = await running.api('connectInstance', {
      query,
      body: by === 'code' ? { number } : {},
    })
    if (by === 'qr') await running.world.post(`/phones/${number}/scan`, { instanceName: name })
    else await running.world.post(`/phones/${number}/enter-code`, { code: pairingCode })
    return { name, number }
  }
  const passkeyEvents = async (instanceName: string): Promise<Json[]> => {
    const query = { instanceName, limit: 500, events: 'passkey.updated' }
    return (await running.api('listEvents', { query })).events
  }

  test('by QR code: the instance waits for the passkey, and the assertion opens it', async () => {
    const { name, number } = await scanned()
    const waiting = await untilState(name, 'connecting/awaiting_passkey')
    assert.equal(waiting.passkey.step, 'assertion_needed')
    assert.equal(waiting.instance.stateReasonUntil, waiting.passkey.expiresAt)
    const again = await running.api('connectInstance', { query: { instanceName: name }, body: {} })
    assert.equal(again.passkey.step, 'assertion_needed', 'asking for the code does not end the step')
    const { options, origin } = await demand(name)
    assert.equal(origin, 'https://web.whatsapp.com')
    const foreign = await hand(name, await sign(number, options, 'https://gateway.example'))
    assert.deepEqual([foreign.status, foreign.json.reason], [422, 'passkey_wrong_origin'])
    assert.equal((await hand(name, await sign(number, options))).status, 200)
    const { instance } = await untilState(name, 'open/null')
    assert.equal(instance.number, number)
    const events = await passkeyEvents(name)
    assert.deepEqual(
      events.map(({ data }) => [data.step, data.result]),
      [
        ['assertion_needed', null],
        ['assertion_sent', null],
        ['finishing', null],
        ['ended', 'linked'],
      ],
    )
    assert.match(events[2].data.code, /^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    assert.ok(!JSON.stringify(events).includes(options.challenge))
    assert.equal(await demand(name), null)
  })

  test('by typed code and one-time link: no key is needed, and the link shows the result', async () => {
    const { name, number } = await scanned('code')
    await untilState(name, 'connecting/awaiting_passkey')
    const { link } = await running.api('createPasskeyLink', { query: { instanceName: name } })
    const token = new URL(link.url).hash.slice(1)
    secrets.push(token)
    const read = async () => (await running.call('readPasskeyLink', { key: null, body: { token } })).json
    const { displayName, passkey } = await read()
    assert.equal(displayName, 'Shop')
    const assertion = await sign(number, passkey.options)
    const answer = await running.call('answerPasskeyByLink', { key: null, body: { token, assertion } })
    assert.equal(answer.status, 200)
    await untilState(name, 'open/null')
    const after = await read()
    assert.deepEqual([after.passkey, after.result], [null, 'linked'])
  })

  test('a second demand of the network has another challenge, which the next assertion must answer', async () => {
    const { name, number } = await scanned('qr', 'second_request')
    await untilState(name, 'connecting/awaiting_passkey')
    const first = await demand(name)
    assert.equal((await hand(name, await sign(number, first.options))).status, 200)
    const second = await until(
      () => demand(name),
      (passkey) => passkey?.options && passkey.options.challenge !== first.options.challenge,
      'another challenge',
    )
    const late = await hand(name, await sign(number, first.options))
    assert.deepEqual([late.status, late.json.reason], [422, 'passkey_wrong_challenge'])
    assert.equal((await hand(name, await sign(number, second.options))).status, 200)
    await untilState(name, 'open/null')
  })

  /** An instance and a phone that show a code each, because the demand came too late for a proof. */
  async function compared(by: 'qr' | 'code' = 'qr') {
    const { name, number } = await scanned(by, 'late_request')
    await untilState(name, 'connecting/awaiting_passkey')
    assert.equal((await hand(name, await sign(number, (await demand(name)).options))).status, 200)
    const waiting = await untilState(name, 'connecting/awaiting_passkey_confirmation')
    return { name, number, code: waiting.passkey.code as string }
  }
  const phoneOf = async (number: string) =>
    (await running.world.get(`/phones/${number}`, answers.phone)).phone

  for (const by of ['qr', 'code'] as const)
    test(`without a proof (${by}): instance and phone show the same code, and the confirmation opens the instance`, async () => {
      const { name, number, code } = await compared(by)
      const before = await phoneOf(number)
      assert.deepEqual(before.passkey, { demanded: true, step: 'compared', code, proven: false })
      assert.deepEqual(before.devices, [])
      const confirm = (given: string) =>
        running.call('confirmPasskey', { query: { instanceName: name }, body: { code: given } })
      assert.equal((await confirm('ABCD-1234')).json.reason, 'passkey_other_code')
      assert.equal((await confirm(code)).status, 200)
      const { instance } = await untilState(name, 'open/null')
      assert.equal(instance.number, number)
      const after = await phoneOf(number)
      assert.deepEqual([after.passkey?.step, after.devices.length], ['linked', 1])
      assert.deepEqual(
        (await passkeyEvents(name)).map(({ data }) => [data.step, data.code, data.result]),
        [
          ['assertion_needed', null, null],
          ['assertion_sent', null, null],
          ['confirmation_needed', code, null],
          ['finishing', code, null],
          ['ended', null, 'linked'],
        ],
      )
    })

  test('cancelled because the codes differ: nothing is linked, and a new pairing of the same phone succeeds', async () => {
    const { name, number, code } = await compared()
    const query = { instanceName: name }
    assert.equal((await running.call('cancelPasskey', { query })).status, 200)
    // The answer comes after the state: no waiting.
    const { instance, passkey } = await state(name)
    assert.deepEqual([instance.state, instance.stateReason, passkey], ['close', 'passkey_cancelled', null])
    const late = await running.call('confirmPasskey', { query, body: { code } })
    assert.deepEqual([late.status, late.json.reason], [409, 'passkey_not_expected'])
    const phone = await until(
      () => phoneOf(number),
      ({ passkey: shown }) => shown?.step === 'ended',
      'the phone sees the end',
    )
    assert.deepEqual(phone.devices, [])
    assert.equal((await passkeyEvents(name)).at(-1).data.result, 'cancelled')

    await running.api('connectInstance', { query, body: {} })
    await untilState(name, 'connecting/awaiting_scan')
    await running.world.post(`/phones/${number}/scan`, { instanceName: name })
    await untilState(name, 'connecting/awaiting_passkey')
    assert.equal((await hand(name, await sign(number, (await demand(name)).options))).status, 200)
    await untilState(name, 'open/null')
  })

  test('cancelled by the owner of the phone with a one-time link, before the passkey is used', async () => {
    const { name } = await scanned()
    await untilState(name, 'connecting/awaiting_passkey')
    const { link } = await running.api('createPasskeyLink', { query: { instanceName: name } })
    const token = new URL(link.url).hash.slice(1)
    secrets.push(token)
    const cancelled = await running.call('cancelPasskeyByLink', { key: null, body: { token } })
    assert.equal(cancelled.status, 200)
    const { passkey, result } = (await running.call('readPasskeyLink', { key: null, body: { token } })).json
    assert.deepEqual([passkey, result], [null, 'cancelled'])
    assert.equal((await state(name)).instance.stateReason, 'passkey_cancelled')
  })

  test('a refusal of the network and a lost connection end the step, with their reasons', async () => {
    const refused = await scanned('qr', 'prologue_error')
    await untilState(refused.name, 'connecting/awaiting_passkey')
    const { options } = await demand(refused.name)
    const answer = await hand(refused.name, await sign(refused.number, options))
    assert.deepEqual([answer.status, answer.json.reason], [502, 'refused_by_network'])
    await untilState(refused.name, 'close/passkey_refused')
    assert.equal((await passkeyEvents(refused.name)).at(-1).data.result, 'refused')

    const lost = await scanned('qr', 'drop_after_request')
    await untilState(lost.name, 'close/passkey_lost')
    await running.api('connectInstance', { query: { instanceName: lost.name }, body: {} })
    await untilState(lost.name, 'connecting/awaiting_scan')
  })

  test('challenges, assertions and the tokens of links are in no log line and in no file', async () => {
    assert.ok(secrets.length > 12 && lines.length > 20)
    const files = globSync('**', { cwd: running.directory, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    const texts = [...lines, ...files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))]
    for (const secret of secrets) for (const text of texts) assert.ok(!text.includes(secret))
  })
})
