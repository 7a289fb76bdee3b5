// GET /check-numbers
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'

const [ANA, BRUNO] = ['5511912345678', '5521987654321']

contract('GET /check-numbers', (gateway) => {
  const fixture = withInstance(gateway)
  const check = async (query: Record<string, string>) =>
    (await fixture()).mine.call('checkNumbers', { query })

  test('200 returns an answer for each number, in the order of the request, and asks for each once', async () => {
    const running = await fixture()
    const requested: string[] = []
    const checkNumber = (digits: string) => {
      requested.push(digits)
      return { exists: digits === ANA, jid: `${digits}@s.whatsapp.net` }
    }
    const numbers = `${BRUNO},+55 (11) 91234-5678,${BRUNO}`
    const answer = await scripted(running, { checkNumber }, () =>
      check({ instanceName: running.instance.name, numbers }),
    )
    const bruno = { number: BRUNO, exists: false, jid: `${BRUNO}@s.whatsapp.net` }
    const ana = { number: ANA, exists: true, jid: `${ANA}@s.whatsapp.net` }
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, { success: true, count: 3, numbers: [bruno, ana, bruno] })
    assert.deepEqual(requested, [BRUNO, ANA])
  })

  test('200 checks 200 numbers', async () => {
    const running = await fixture()
    const numbers = Array.from({ length: 200 }, (_, index) => String(5_511_900_000_000 + index))
    const checkNumber = (digits: string) => ({ exists: true, jid: `${digits}@s.whatsapp.net` })
    const answer = await scripted(running, { checkNumber }, () =>
      check({ instanceName: running.instance.name, numbers: numbers.join(',') }),
    )
    assert.deepEqual(
      answer.json.numbers.map((each: { number: string }) => each.number),
      numbers,
    )
  })

  test('400 when a number is not valid, or there are none or too many', async () => {
    const { name } = (await fixture()).instance
    const many = Array.from({ length: 201 }, () => ANA).join(',')
    for (const [query, path] of [
      [{ numbers: ANA }, 'instanceName'],
      [{ instanceName: name }, 'numbers'],
      [{ instanceName: name, numbers: '' }, 'numbers.0'],
      [{ instanceName: name, numbers: `${ANA},12` }, 'numbers.1'],
      [{ instanceName: name, numbers: many }, 'numbers'],
    ] as const) {
      const answer = await check(query)
      assert.equal(answer.status, 400, JSON.stringify(query).slice(0, 100))
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('404 when the instance does not exist', async () => {
    const answer = await check({ instanceName: 'unknown-00000000', numbers: ANA })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })

  test('409 when the instance is not connected', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    await running.sessions.move(id, 'connection_lost')
    const answer = await check({ instanceName: name, numbers: ANA })
    assert.deepEqual([answer.status, answer.json.reason], [409, 'instance_not_connected'])
  })

  for (const [kind, status, reason] of [
    ['refused', 502, 'refused_by_network'],
    ['timeout', 504, 'network_timeout'],
  ] as const)
    test(`${status} when the network answers with ${kind}`, async () => {
      const running = await fixture()
      const checkNumber = () => {
        throw new NetworkError(kind, 'no')
      }
      const answer = await scripted(running, { checkNumber }, () =>
        check({ instanceName: running.instance.name, numbers: ANA }),
      )
      assert.deepEqual([answer.status, answer.json.reason], [status, reason])
    })
})
