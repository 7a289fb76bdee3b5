// What this driver assumes about the installed version of the network library when a message cannot be decrypted (see library.test.ts).
import { describe } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type BinaryNode, binaryNodeToString, DEFAULT_CONNECTION_CONFIG, S_WHATSAPP_NET } from 'baileys'
import type { BareLibraryOptions } from '../../../test/support/bare-library.ts'
import type { BareNetwork } from '../../../test/support/bare-network.ts'
import { assumeConnected } from '../../../test/support/library-assumptions.ts'
import { createRetryRequests, disableRetries, UnreadableMessage } from './retry-requests.ts'

const BEN = '5511900000002@s.whatsapp.net'
const OWN = '5511900000001@s.whatsapp.net'
const FILE = 'library/retry-requests.ts'

const unreadable = (id: string, attrs = {}): BinaryNode => ({
  tag: 'message',
  attrs: { id, from: BEN, type: 'text', t: String(Math.floor(Date.now() / 1000)), offline: 'no', ...attrs },
  content: [{ tag: 'enc', attrs: { type: 'msg', v: '2' }, content: Buffer.from('x') }],
})

const failsWith =
  (error: Error): NonNullable<BareLibraryOptions['makeSignalRepository']> =>
  (...given) => ({
    ...DEFAULT_CONNECTION_CONFIG.makeSignalRepository(...given),
    decryptMessage: () => Promise.reject(error),
  })

/** The library looks for the other identifier of the sender. */
const answerEmpty = ({ tag, attrs }: BinaryNode): BinaryNode | undefined =>
  tag === 'iq' ? { tag, attrs: { id: attrs.id ?? '', type: 'result', from: S_WHATSAPP_NET } } : undefined

/** What was sent about a message by the time the stanza behind it is acknowledged. */
async function sentAbout(network: BareNetwork, stanza: BinaryNode): Promise<string[]> {
  network.send(stanza)
  network.send({ tag: 'notification', attrs: { id: 'next', type: 'any', from: BEN, t: '1', offline: 'no' } })
  await network.received(({ tag, attrs }) => tag === 'ack' && attrs.id === 'next')
  return network.stanzas
    .filter(({ attrs }) => attrs.id === stanza.attrs.id)
    .map(({ tag, attrs: { type = '-', error = '-' } }) => `${tag} ${type} ${error}`)
}

describe('a message that cannot be decrypted', () => {
  for (const [what, attrs] of [
    ['a message', {}],
    ['a message between devices of the account', { from: OWN, category: 'peer' }],
  ] as const)
    assumeConnected(
      `an error that the logger throws about ${what} ends its handling: an acknowledgement with 500, no receipt`,
      FILE,
      async ({ network }) =>
        isDeepStrictEqual(await sentAbout(network, unreadable('U1', attrs)), ['ack text 500']),
      { answer: answerEmpty, makeSignalRepository: failsWith(new UnreadableMessage('x')) },
    )
  const CERTIFICATE: BinaryNode = { tag: 'verified_name', attrs: {}, content: Buffer.from('not one') }
  const failsBefore: NonNullable<BareLibraryOptions['makeSignalRepository']> = (...given) => {
    const made = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(...given)
    const lidMapping = Object.create(made.lidMapping) as typeof made.lidMapping
    lidMapping.getLIDForPN = () => Promise.reject(new Error('the database is not there'))
    return { ...made, lidMapping }
  }
  for (const [what, stanza, makeSignalRepository] of [
    ['identifiers that cannot be read', unreadable('G1'), failsBefore],
    [
      'a certificate that cannot be decoded',
      { ...unreadable('G2'), content: [CERTIFICATE] },
      failsWith(new UnreadableMessage('x')),
    ],
    [
      'an envelope without an author',
      unreadable('G3', { from: '120363000000000001@g.us' }),
      failsWith(new UnreadableMessage('x')),
    ],
  ] as [string, BinaryNode, NonNullable<BareLibraryOptions['makeSignalRepository']>][]) {
    const givenUp: string[] = []
    assumeConnected(
      `a message with ${what} is given up before it is decrypted: it is logged in its text form, then acknowledged with 500`,
      FILE,
      async ({ network }) =>
        isDeepStrictEqual(await sentAbout(network, stanza), ['ack text 500']) &&
        isDeepStrictEqual(givenUp, [binaryNodeToString(stanza)]),
      { answer: answerEmpty, makeSignalRepository, onGivenUp: (text) => givenUp.push(text) },
    )
  }
  assumeConnected(
    'a replaced messageRetryManager.hasExceededMaxRetries prevents every retry receipt, and the message is acknowledged',
    FILE,
    async ({ socket, network }) => {
      disableRetries(socket)
      return isDeepStrictEqual(await sentAbout(network, unreadable('U2')), ['ack text 500'])
    },
    { answer: answerEmpty, makeSignalRepository: failsWith(new Error('Bad MAC')) },
  )
  assumeConnected(
    'the keys of the socket have transactions, and getNextPreKeys offers a one-time key that is stored with them',
    FILE,
    async ({ socket, network, creds, rows }) => {
      Object.assign(creds, { account: { details: Buffer.from('x') } })
      const { requestAgain } = createRetryRequests(socket, { creds })
      for (const count of [1, 2]) await requestAgain({ id: 'R1', from: BEN, t: '1', category: 'peer' }, count)
      await network.received(
        ({ tag, content }) => tag === 'receipt' && (content as BinaryNode[]).length === 3,
      )
      const parts = (receipt: BinaryNode) => (receipt.content as BinaryNode[]).map(({ tag }) => tag)
      const all = network.stanzas.filter(({ tag }) => tag === 'receipt')
      return (
        isDeepStrictEqual(all.map(parts), [
          ['retry', 'registration'],
          ['retry', 'registration', 'keys'],
        ]) &&
        all.every(({ attrs }) => attrs.type === 'retry' && attrs.to === BEN && attrs.category === 'peer') &&
        [...rows.keys()].some((name) => name.startsWith('pre-key/'))
      )
    },
  )
})
