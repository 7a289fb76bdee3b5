// What this driver assumes about the keys, the Signal repository and the app state of the network library (see library.test.ts).
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import {
  addTransactionCapability,
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  getBinaryNodeChild,
  type LTHashState,
  processSyncAction,
  type SignalDataSet,
} from 'baileys'
import { linkedCreds, memoryKeys, silentLogger } from '../../../test/support/bare-library.ts'
import { assume, assumeConnected } from '../../../test/support/library-assumptions.ts'
import { createQuietLogger, type SyncAction } from './quiet-logger.ts'

const BEN = '5511900000002@s.whatsapp.net'
const KEY_ID = 'AAAA'
const KEYS = 20

/** Its keys are in memory. */
function openRepository() {
  const { store, writes, rows } = memoryKeys()
  const keys = addTransactionCapability(store, silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 })
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds: linkedCreds(), keys },
    silentLogger,
    async () => undefined,
  )
  return { repository, keys, writes, rows }
}

const REPLACED = [
  'decryptGroupMessage',
  'decryptMessage',
  'deleteSession',
  'encryptGroupMessage',
  'encryptMessage',
  'getSenderKeyDistributionMessage',
  'hasSenderKey',
  'injectE2ESession',
  'migrateSession',
  'processSenderKeyDistributionMessage',
  'validateSession',
]
const PASSED_ON = ['close', 'getSessionInfo', 'jidToSignalProtocolAddress', 'lidMapping']

const session = (value: string): SignalDataSet => ({ session: { a: value } }) as unknown as SignalDataSet

describe('the Signal repository', () => {
  assume(
    'the repository is a plain object with the methods that the layers replace, and no other that could change keys',
    'library/open-library.ts',
    () =>
      isDeepStrictEqual(
        Object.keys(openRepository().repository).toSorted(),
        [...REPLACED, ...PASSED_ON].toSorted(),
      ),
  )
  assume(
    'the methods of the repository resolve addresses through a replaced lidMapping.getLIDForPN',
    'library/open-library.ts',
    async () => {
      const { repository } = openRepository()
      const requested: string[] = []
      repository.lidMapping.getLIDForPN = async (jid) => {
        requested.push(jid)
        return null
      }
      await repository.validateSession(BEN)
      return requested.length === 1
    },
  )
  assume(
    'identifiers are stored as lid-mapping, a number under its digits and a hidden id with _reverse',
    'library/library-socket.ts',
    async () => {
      const { repository, rows } = openRepository()
      await repository.lidMapping.storeLIDPNMappings([{ pn: BEN, lid: '222@lid' }])
      return (
        rows.get('lid-mapping/5511900000002') === '222' &&
        rows.get('lid-mapping/222_reverse') === '5511900000002'
      )
    },
  )
  const made: unknown[] = []
  let hasTransactions = false
  assumeConnected(
    'what makeSignalRepository returns is used as it is, and the keys that it gets have transactions',
    'library/open-library.ts',
    ({ socket }) => hasTransactions && made[0] === socket.signalRepository,
    {
      makeSignalRepository(auth, logger, pnToLid) {
        hasTransactions = 'transaction' in auth.keys
        const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, pnToLid)
        made.push(repository)
        return repository
      },
    },
  )
})

describe('transactions of keys', () => {
  assume(
    'everything set in a transaction is written with one call, also kinds that the library does not know',
    'library/arrival-commits.ts',
    async () => {
      const { keys, writes } = openRepository()
      await keys.transaction(async () => {
        await keys.set(session('1'))
        await keys.set({ arrival: { x: 'y' } } as unknown as SignalDataSet)
      }, 'a')
      return isDeepStrictEqual(writes, [{ ...session('1'), arrival: { x: 'y' } }])
    },
  )
  assume(
    'a transaction inside another is part of it, and one in an async context outside is written on its own, before it',
    'library/ratchet-commits.ts',
    async () => {
      const { keys, writes } = openRepository()
      const outside = AsyncLocalStorage.snapshot()
      await keys.transaction(async () => {
        await keys.transaction(() => keys.set(session('nested')) as Promise<void>, 'b')
        await outside(() => keys.transaction(() => keys.set(session('alone')) as Promise<void>, 'c'))
      }, 'a')
      return isDeepStrictEqual(writes, [session('alone'), session('nested')])
    },
  )
  assume(
    'transactions of one name exclude each other, and those of different names do not',
    'library/ratchet-commits.ts',
    async () => {
      const { keys } = openRepository()
      const log: string[] = []
      const step = Promise.withResolvers<void>()
      const first = keys.transaction(async () => step.promise.then(() => log.push('first')), 'a')
      const second = keys.transaction(async () => log.push('second'), 'a')
      await keys.transaction(async () => log.push('other'), 'b')
      step.resolve()
      await Promise.all([first, second])
      return isDeepStrictEqual(log, ['other', 'first', 'second'])
    },
  )
})

describe('one-time keys', () => {
  assumeConnected(
    'a second upload joins the one in progress, and both number their keys from nextPreKeyId',
    'library/open-library.ts',
    async ({ socket, network, creds, rows }) => {
      creds.nextPreKeyId = 7000
      creds.firstUnuploadedPreKeyId = 7000
      await Promise.all([socket.uploadPreKeys(KEYS), socket.uploadPreKeys(5)])
      const uploads = network.stanzas.filter((stanza) => getBinaryNodeChild(stanza, 'list'))
      return uploads.length === 1 && rows.has('pre-key/7000') && creds.nextPreKeyId === 7000 + KEYS
    },
    { answer: (stanza) => (stanza.tag === 'iq' ? answerTo(stanza) : undefined) },
  )
})

describe('the app state', () => {
  assume(
    'each change is traced as "processing sync action" with its index, its value and whether it is the first synchronisation',
    'library/quiet-logger.ts',
    () => {
      const seen: SyncAction[] = []
      const logger = createQuietLogger({ debug: () => undefined }, (action) => seen.push(action))
      const change = { syncAction: { value: { pinAction: { pinned: true } } }, index: ['pin_v1', BEN] }
      processSyncAction(change, { emit: () => true } as never, { id: BEN }, undefined, logger)
      return isDeepStrictEqual(seen, [
        { index: ['pin_v1', BEN], value: { pinAction: { pinned: true } }, isInitial: false },
      ])
    },
  )
  assumeConnected(
    'a refused change resolves and its version is stored, and the refusal is emitted as CB:iq before that',
    'library/app-state-changes.ts',
    async ({ socket, rows }) => {
      rows.set(`app-state-sync-key/${KEY_ID}`, { keyData: Buffer.alloc(32, 7) })
      const before: boolean[] = []
      socket.ws.on('CB:iq', (answer: BinaryNode) => {
        if (JSON.stringify(answer).includes('"409"')) before.push(rows.has(VERSION))
      })
      await socket.chatModify({ pin: true }, BEN)
      return isDeepStrictEqual(before, [false]) && (rows.get(VERSION) as LTHashState).version === 1
    },
    { creds: { ...linkedCreds(), myAppStateKeyId: KEY_ID }, answer: refuseChange },
  )
})

const VERSION = 'app-state-sync-version/regular_low'

const answerTo = ({ attrs }: BinaryNode, content: BinaryNode[] = []): BinaryNode => ({
  tag: 'iq',
  attrs: { id: attrs.id ?? '', type: 'result', from: 's.whatsapp.net' },
  content,
})

/** There is nothing new, but another device has made a change in this moment. */
function refuseChange(stanza: BinaryNode): BinaryNode | undefined {
  const collection = getBinaryNodeChild(getBinaryNodeChild(stanza, 'sync'), 'collection')
  if (!collection) return undefined
  const isChange = getBinaryNodeChild(collection, 'patch') !== undefined
  const error = { tag: 'error', attrs: { code: '409', text: 'conflict' } }
  const answered = {
    tag: 'collection',
    attrs: { name: collection.attrs.name ?? '', type: isChange ? 'error' : 'result' },
    content: isChange ? [error] : [],
  }
  return answerTo(stanza, [{ tag: 'sync', attrs: {}, content: [answered] }])
}
