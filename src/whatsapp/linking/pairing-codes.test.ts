import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BinaryNode } from '../library/protocol.ts'
import { createPairingCodes } from './linking.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))
const news = (attrs: Record<string, string>, reference?: string): BinaryNode => ({
  tag: 'notification',
  attrs: {},
  content: [
    {
      tag: 'link_code_companion_reg',
      attrs,
      content:
        reference === undefined
          ? []
          : [{ tag: 'link_code_pairing_ref', attrs: {}, content: Buffer.from(reference) }],
    },
  ],
})
const refresh = (reference?: string, attrs = {}) => news({ stage: 'refresh_code', ...attrs }, reference)

/** The n-th request gets the code and the reference `n`. */
function openCodes(refusedFrom = Number.POSITIVE_INFINITY) {
  let requests = 0
  const names: string[] = []
  const reported: string[] = []
  const kept: number[] = []
  let ends = 0
  const codes = createPairingCodes({
    pairing: {
      async requestCode(_number, name) {
        requests += 1
        names.push(name)
        if (requests >= refusedFrom) throw new Error('refused')
        return { code: String(requests), reference: Buffer.from(String(requests)) }
      },
    },
    qrCodes: { keepUntil: (untilMs) => kept.push(untilMs) },
    deviceName: 'Support desk',
    report: (code) => reported.push(code),
    end: () => (ends += 1),
    clock: () => 1000,
  })
  const tell = async (stanza: BinaryNode) => {
    codes.onNews(stanza)
    await settled()
  }
  return { codes, tell, names, reported, kept, ends: () => ends }
}

test('a code lives for 180 seconds, and a phone that answers it has a minute to link the device', async () => {
  const { codes, tell, kept } = openCodes()
  assert.equal(await codes.request('5511900000001'), '1')
  await tell(news({ stage: 'primary_hello' }))
  assert.deepEqual(kept, [181_000, 61_000])
})

test('each request names a real system, whatever the device is called', async () => {
  const { codes, tell, names } = openCodes()
  await codes.request('5511900000001')
  await tell(refresh('1'))
  assert.deepEqual(names, ['Chrome (Mac OS)', 'Chrome (Mac OS)'])
})

test('the network replaces a code at most twice', async () => {
  const { codes, tell, reported, ends } = openCodes()
  await codes.request('5511900000001')
  await tell(refresh('1'))
  await tell(refresh('2'))
  assert.deepEqual([reported, ends()], [['2', '3'], 0])
  await tell(refresh('3'))
  assert.deepEqual([reported, ends()], [['2', '3'], 1])
})

test('news about another code, or about none, change nothing', async () => {
  const { codes, tell, reported, ends } = openCodes()
  await tell(refresh('1'))
  await codes.request('5511900000001')
  for (const stanza of [refresh('0'), refresh(), news({}), { tag: 'notification', attrs: {} }])
    await tell(stanza)
  assert.deepEqual([reported, ends()], [[], 0])
})

test('without another code the connection ends: the owner has to want it, or the network refuses it', async () => {
  const forced = openCodes()
  await forced.codes.request('5511900000001')
  await forced.tell(refresh('1', { force_manual_refresh: 'true' }))
  const refused = openCodes(2)
  await refused.codes.request('5511900000001')
  await refused.tell(refresh('1'))
  for (const { reported, ends } of [forced, refused]) assert.deepEqual([reported, ends()], [[], 1])
})
