// Steps of one ratchet and moves of its session exclude each other, for both addresses of a device.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  addTransactionCapability,
  type SignalDataSet,
  type SignalKeyStore,
  type SignalRepositoryWithLIDStore,
} from 'baileys'
import { promisesSettled } from '../../../test/support/manual-time.ts'
import { createQuietLogger } from './quiet-logger.ts'
import { withCommittedSteps } from './ratchet-commits.ts'

const logger = createQuietLogger({ debug: () => undefined }, () => undefined)
const NUMBER = '5511900000001@s.whatsapp.net'
const LID = '777@lid'
const DEVICE = '5511900000001:4@s.whatsapp.net'

/** A repository whose steps wait for the test. */
function createStage(isMapped: boolean) {
  const rows = new Map<string, unknown>([
    ['device-list/5511900000001', ['0', '4']],
    ['session/5511900000001.4', 'ratchet'],
  ])
  const store: SignalKeyStore = {
    get: async (type, ids) =>
      Object.fromEntries(
        ids.flatMap((id) => (rows.has(`${type}/${id}`) ? [[id, rows.get(`${type}/${id}`)]] : [])),
      ) as never,
    async set(data) {
      for (const [type, values] of Object.entries(data))
        for (const [id, value] of Object.entries(values)) rows.set(`${type}/${id}`, value)
    },
  }
  const keys = addTransactionCapability(store, logger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 })
  const log: string[] = []
  const step = Promise.withResolvers<void>()
  const repository = {
    jidToSignalProtocolAddress: (jid: string) => {
      const [, user, device = '0', server] = /^(\d+)(?::(\d+))?@(.*)$/.exec(jid) as unknown as string[]
      return `${user}${server === 'lid' ? '_1' : ''}.${device}`
    },
    lidMapping: {
      getLIDForPN: async (jid: string) => (isMapped ? jid.replace(/^\d+(.*)@.*/, '777$1@lid') : null),
    },
    async encryptMessage() {
      log.push('step begins')
      await step.promise
      await keys.set({ session: { '5511900000001.4': 'stepped' } } as unknown as SignalDataSet)
      log.push('step ends')
    },
    async migrateSession() {
      log.push('moved')
      const { '5511900000001.4': found } = await keys.get('session', ['5511900000001.4'])
      await keys.set({ session: { '777_1.4': found, '5511900000001.4': null } } as unknown as SignalDataSet)
    },
    async deleteSession() {
      log.push('deleted')
      await keys.set({ session: { '5511900000001.4': null } })
    },
  } as unknown as SignalRepositoryWithLIDStore
  return { repository: withCommittedSteps(repository, keys), rows, log, step }
}

describe('a session that is moved or deleted during a step', () => {
  for (const isMapped of [false, true])
    test(`waits for the step, whose ratchet has the name of the ${isMapped ? 'hidden id' : 'number'}`, async () => {
      const { repository, rows, log, step } = createStage(isMapped)
      const encrypted = repository.encryptMessage({ jid: DEVICE, data: Buffer.alloc(1) })
      await promisesSettled()
      const moved = repository.migrateSession(NUMBER, LID)
      await promisesSettled()
      assert.deepEqual(log, ['step begins'])
      step.resolve()
      await Promise.all([encrypted, moved])
      assert.deepEqual(log, ['step begins', 'step ends', 'moved'])
      assert.equal(rows.get('session/777_1.4'), 'stepped')
      assert.equal(rows.get('session/5511900000001.4'), null)
    })

  test('waits with its deletion', async () => {
    const { repository, rows, log, step } = createStage(false)
    const encrypted = repository.encryptMessage({ jid: DEVICE, data: Buffer.alloc(1) })
    await promisesSettled()
    const deleted = repository.deleteSession([DEVICE, NUMBER])
    await promisesSettled()
    assert.deepEqual(log, ['step begins'])
    step.resolve()
    await Promise.all([encrypted, deleted])
    assert.deepEqual(log, ['step begins', 'step ends', 'deleted'])
    assert.equal(rows.get('session/5511900000001.4'), null)
  })

  test('moves and deletions at the same time all end', async () => {
    const { repository, log, step } = createStage(true)
    step.resolve()
    await Promise.all([
      repository.migrateSession(NUMBER, LID),
      repository.deleteSession([DEVICE, NUMBER]),
      repository.migrateSession(DEVICE, LID),
      repository.encryptMessage({ jid: DEVICE, data: Buffer.alloc(1) }),
      repository.deleteSession([NUMBER, DEVICE]),
    ])
    assert.equal(log.length, 6)
  })
})
