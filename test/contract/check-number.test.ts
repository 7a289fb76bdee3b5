// GET /check-number
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upsertKnownNumber } from '../../src/contacts/number-queries.ts'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'

const number = '5511987654321'

contract('GET /check-number', (gateway) => {
  const fixture = withInstance(gateway)
  const check = async (query: Record<string, string>) => (await fixture()).mine.call('checkNumber', { query })

  test('200 returns the answer of the network, with either name of both fields', async () => {
    const running = await fixture()
    const { name } = running.instance
    const requested: string[] = []
    const checkNumber = (digits: string) => {
      requested.push(digits)
      return { exists: true, jid: '551187654321@s.whatsapp.net' }
    }
    const queries = [
      { instanceName: name, number },
      { instance: name, phone: number },
      { instanceName: name, phone: '+55 (11) 98765-4321' },
      { instance: name, number },
    ]
    for (const query of queries) {
      const answer = await scripted(running, { checkNumber }, () => check(query))
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, {
        success: true,
        status: 'success',
        data: { exists: true, jid: '551187654321@s.whatsapp.net', number, instance: name },
      })
    }
    assert.deepEqual(requested, [number, number, number, number])
  })

  test('200 returns exists: false for an unregistered number', async () => {
    const running = await fixture()
    const checkNumber = (digits: string) => ({ exists: false, jid: `${digits}@s.whatsapp.net` })
    const answer = await scripted(running, { checkNumber }, () =>
      check({ instanceName: running.instance.name, number }),
    )
    assert.equal(answer.status, 200)
    assert.equal(answer.json.data.exists, false)
  })

  test('400 when a field is missing or given by both names, or the number is not valid', async () => {
    const { name } = (await fixture()).instance
    const wrong: [Record<string, string>, string[]][] = [
      [{}, ['instanceName', 'number']],
      [{ instanceName: name }, ['number']],
      [{ number }, ['instanceName']],
      [{ instanceName: name, instance: name, number }, ['instanceName']],
      [{ instanceName: name, number, phone: number }, ['number']],
      [{ instanceName: name, number: '12' }, ['number']],
      [{ instanceName: name, phone: 'abc' }, ['phone']],
      [{ instanceName: '', number }, ['instanceName']],
    ]
    for (const [query, paths] of wrong) {
      const answer = await check(query)
      assert.equal(answer.status, 400, JSON.stringify(query))
      assert.deepEqual(faultPaths(answer), paths)
    }
  })

  test('404 when the instance does not exist', async () => {
    const answer = await check({ instanceName: 'unknown-00000000', number })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })

  test('409 when the instance is not connected', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    for (const event of ['code_shown', 'connection_lost', 'logged_out'] as const) {
      await running.sessions.move(id, event)
      const answer = await check({ instanceName: name, number })
      assert.equal(answer.status, 409)
      assert.equal(answer.json.reason, 'instance_not_connected')
    }
  })

  test('200 clears an earlier "not registered" for the number, in all its forms', async () => {
    const running = await fixture()
    const { id, name } = running.instance
    const unknown = async () =>
      (
        await running.store.db
          .selectFrom('known_numbers')
          .select('number')
          .where('instance_id', '=', id)
          .where('jid', 'is', null)
          .execute()
      ).map((row) => row.number)
    for (const each of [number, '551187654321', '4915112345678'])
      await upsertKnownNumber(running.store.db, { instanceId: id, number: each, jid: null, now: 1 })
    const ask = (exists: boolean) =>
      scripted(running, { checkNumber: () => ({ exists, jid: `${number}@s.whatsapp.net` }) }, () =>
        check({ instanceName: name, number }),
      )
    assert.equal((await ask(false)).status, 200)
    assert.equal((await unknown()).length, 3)
    assert.equal((await ask(true)).status, 200)
    assert.deepEqual(await unknown(), ['4915112345678'])
  })

  test('502 with the network code and without Retry-After when the network refuses', async () => {
    const running = await fixture()
    const checkNumber = () => {
      throw new NetworkError('refused', 'not-acceptable', undefined, 405)
    }
    const answer = await scripted(running, { checkNumber }, () =>
      check({ instanceName: running.instance.name, number }),
    )
    assert.deepEqual(
      [answer.status, answer.json.reason, answer.json.networkCode, answer.headers.get('retry-after')],
      [502, 'refused_by_network', 405, null],
    )
  })

  test('503 with Retry-After when the network is unavailable', async () => {
    const running = await fixture()
    const checkNumber = () => {
      throw new NetworkError('unavailable', 'no way')
    }
    const answer = await scripted(running, { checkNumber }, () =>
      check({ instanceName: running.instance.name, number }),
    )
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '1')
  })

  test('504 when the network does not answer in time', async () => {
    const running = await fixture()
    const checkNumber = () => {
      throw new NetworkError('timeout', 'no answer')
    }
    const answer = await scripted(running, { checkNumber }, () =>
      check({ instanceName: running.instance.name, number }),
    )
    assert.equal(answer.status, 504)
    assert.equal(answer.json.reason, 'network_timeout')
  })
})
