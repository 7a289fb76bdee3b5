// Group messages never reach the ciphers of the network library: the bundle of the server contains a stub instead of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  addTransactionCapability,
  DEFAULT_CONNECTION_CONFIG,
  initAuthCreds,
  type SignalDataSet,
  type SignalKeyStore,
} from 'baileys'
import { pino } from 'pino'
import { withGroupCiphers } from './group-ciphers.ts'

/** What the library's functions call to reach its group ciphers. */
const LIBRARY_CIPHERS =
  /SenderKeyName|SenderKeyRecord|SenderKeyDistributionMessage\(null|GroupCipher|GroupSessionBuilder|AndCreateSkdm/
const GROUP = '120363000000000001@g.us'
const ME = '5511970000001:2@s.whatsapp.net'

function createRepository() {
  const stored = new Map<string, unknown>()
  const store = {
    get: async (kind: string, ids: string[]) =>
      Object.fromEntries(ids.map((id) => [id, stored.get(`${kind} ${id}`)])),
    set: async (data: SignalDataSet) => {
      for (const [kind, entries] of Object.entries(data))
        for (const [id, value] of Object.entries(entries)) stored.set(`${kind} ${id}`, value)
    },
  } as SignalKeyStore
  const logger = pino({ level: 'silent' })
  const keys = addTransactionCapability(store, logger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 })
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: initAuthCreds(), keys }, logger)
  return { repository, keys }
}

const functionsOf = (repository: object): [string, string][] =>
  Object.entries(repository).flatMap(([name, value]) =>
    typeof value === 'function' ? [[name, String(value)] as [string, string]] : [],
  )

describe('group ciphers', () => {
  test('every function of the repository that uses the ciphers of the library is replaced', () => {
    const { repository, keys } = createRepository()
    const users = functionsOf(repository).filter(([, source]) => LIBRARY_CIPHERS.test(source))
    assert.ok(users.length >= 5, 'the library uses its ciphers in functions that this test finds')
    const left = functionsOf(withGroupCiphers(repository, keys)).filter(([, source]) =>
      LIBRARY_CIPHERS.test(source),
    )
    assert.deepEqual(left, [])
  })

  test('the key of a group is known after the first message to it', async () => {
    const made = createRepository()
    const repository = withGroupCiphers(made.repository, made.keys)
    assert.equal(await repository.hasSenderKey({ group: GROUP, meId: ME }), false)
    await repository.encryptGroupMessage({ group: GROUP, meId: ME, data: Buffer.from('hello') })
    assert.equal(await repository.hasSenderKey({ group: GROUP, meId: ME }), true)
  })
})
