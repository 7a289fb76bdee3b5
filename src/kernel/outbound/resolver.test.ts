// Many lookups share one socket, also when the name server does not answer.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type DnsAnswer, startDnsServer } from '../../../test/support/dns-server.ts'
import { createDnsResolve } from './resolver.ts'

const open: { close(): Promise<void> }[] = []
after(async () => {
  for (const one of open) await one.close()
})

/** A name server that does not answer until `speak` is called; `requested` resolves after queries for `names` different names. */
async function silentServer(names: number) {
  const requested = Promise.withResolvers<void>()
  const seen = new Set<string>()
  let isSilent = true
  const answer: DnsAnswer = (name) => {
    seen.add(name)
    if (seen.size === names) requested.resolve()
    return isSilent ? undefined : ['192.0.2.1']
  }
  const server = await startDnsServer(answer)
  open.push(server)
  return { server, requested: requested.promise, speak: () => void (isSilent = false) }
}

const frozen = () => 0

describe('a resolver', () => {
  test('50 unanswered queries share one socket', async () => {
    const { server, requested, speak } = await silentServer(50)
    const resolve = createDnsResolve([server.address], frozen)
    const waiting = new AbortController()
    const outcomes = Array.from({ length: 50 }, (_, index) =>
      resolve(`n${index}.example`, waiting.signal).catch((error: unknown) => error),
    )
    await requested
    assert.equal(server.askers(), 1)
    const reason = new Error('enough')
    waiting.abort(reason)
    assert.deepEqual(new Set(await Promise.all(outcomes)), new Set([reason]), 'the signal ends the wait')
    speak()
  })

  test('concurrent lookups of one name share a query; a later lookup sends a new one', async () => {
    const { server, requested, speak } = await silentServer(1)
    const resolve = createDnsResolve([server.address], frozen)
    const gone = new AbortController()
    const stays = new AbortController().signal
    const outcomes = [gone.signal, ...Array.from({ length: 50 }, () => stays)].map((signal) =>
      resolve('same.example', signal).then(String, () => 'gone'),
    )
    await requested
    gone.abort(new Error('gone'))
    speak()
    // One query per address family, each retried once.
    const [first, ...others] = await Promise.all(outcomes)
    assert.equal(first, 'gone')
    assert.deepEqual(new Set(others).size, 1)
    assert.ok(server.queries() <= 4, `${server.queries()} queries`)
    const before = server.queries()
    await resolve('same.example', stays).catch(() => undefined)
    assert.ok(server.queries() > before, 'answers are not cached')
  })
})
