// A connection with everything that is replaced in the library, on a network that does what a test tells it to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BinaryNode, S_WHATSAPP_NET } from 'baileys'
import { bareSettings, linkedCreds } from '../../../test/support/bare-library.ts'
import { type BareNetwork, startBareNetwork } from '../../../test/support/bare-network.ts'
import type { Credentials } from '../../network/network.ts'
import { encodeKey } from './key-codec.ts'
import type { LibrarySocket } from './library-socket.ts'
import { loadLibrary } from './open-library.ts'
import { withRootKey } from './root-key.ts'

const HOUR_MS = 3_600_000

/** The login is the only thing that is stored. */
const credentials = (): Credentials => ({
  read: async (kind) => new Map(kind === 'creds' ? [['creds', encodeKey('creds', linkedCreds())]] : []),
  write: async () => undefined,
  findArrival: async () => undefined,
})

async function connected(
  answer: (stanza: BinaryNode) => BinaryNode | undefined,
  use: (socket: LibrarySocket, network: BareNetwork) => Promise<void>,
  answerCheckMs = 20,
): Promise<void> {
  const network = await startBareNetwork(answer)
  const library = await loadLibrary(
    { ...bareSettings(network), times: { answerCheckMs } },
    {
      credentials: credentials(),
      onEvent: async () => undefined,
      findSent: async () => undefined,
      findOriginals: async () => [],
    },
  )
  const socket = withRootKey(network.rootPublicKey, () =>
    library.open({
      keepArrival: async (_ciphertext, { decrypt }) => decrypt(),
      getMessage: async () => undefined,
      cachedGroupMetadata: async () => undefined,
      onSyncAction: () => undefined,
      onGivenUp: () => undefined,
    }),
  )
  await network.joined
  try {
    await use(socket, network)
  } finally {
    await socket.end(undefined)
    await network.close()
  }
}

const request = (id: string): BinaryNode => ({ tag: 'iq', attrs: { id, type: 'get', to: S_WHATSAPP_NET } })

test('a request that the network does not answer ends, and the next one works', async () => {
  const answer = ({ attrs }: BinaryNode): BinaryNode | undefined =>
    attrs.id === 'answered'
      ? { tag: 'iq', attrs: { id: 'answered', type: 'result', from: S_WHATSAPP_NET } }
      : undefined
  await connected(answer, async (socket) => {
    await assert.rejects(socket.query(request('unanswered')), /did not answer/)
    assert.equal((await socket.query(request('answered'))).attrs.type, 'result')
  })
})

test('a request that is open when the connection is closed here ends', { timeout: 30_000 }, async () => {
  const use = async (socket: LibrarySocket, network: BareNetwork) => {
    const refused = assert.rejects(socket.query(request('unanswered')), /connection was closed/)
    await network.received(({ attrs }) => attrs.id === 'unanswered')
    await socket.end(undefined)
    await refused
  }
  await connected(() => undefined, use, HOUR_MS)
})

test('a change of the login that does not concern the account is not announced as a presence', async () => {
  const answer = ({ tag, attrs }: BinaryNode): BinaryNode | undefined =>
    tag === 'iq' ? { tag, attrs: { id: attrs.id ?? '', type: 'result', from: S_WHATSAPP_NET } } : undefined
  await connected(answer, async (socket, network) => {
    // The library uploads one-time keys then, and stores how many there are.
    const content = [{ tag: 'count', attrs: { value: '0' } }]
    network.send({ tag: 'notification', attrs: { id: 'n1', type: 'encrypt', from: S_WHATSAPP_NET }, content })
    await network.received(({ attrs }) => attrs.xmlns === 'encrypt' && attrs.type === 'set')
    await network.received(({ tag, attrs }) => tag === 'ack' && attrs.id === 'n1')
    await socket.query(request('last'))
    assert.deepEqual(
      network.stanzas.filter(({ tag }) => tag === 'presence'),
      [],
    )
  })
})
