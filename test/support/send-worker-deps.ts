// What a send worker needs in a test: a store, a scripted session, and nothing else that happens.
import assert from 'node:assert/strict'
import { pino } from 'pino'
import type { NetworkSession } from '../../src/network/network.ts'
import type { SendWorkerDeps } from '../../src/sending/lane-run.ts'
import { NOON } from '../../src/store/conformance/tenant.ts'
import type { Store } from '../../src/store/store.ts'

export const RESTRICTED_CODE = 463

export const sendWorkerDeps = (store: Store, session: NetworkSession): SendWorkerDeps => ({
  store,
  clock: () => NOON,
  logger: pino({ level: 'silent' }),
  perInstance: 5,
  openSession: () => session,
  addresses: { addressOf: async (_instanceId, chat) => chat, forget: async () => undefined },
  previewOf: async () => undefined,
  media: () => () => assert.fail('the message has no file'),
  onRestricted: async () => undefined,
  onSent: async () => undefined,
  restrictedCode: RESTRICTED_CODE,
  observe: () => undefined,
  wakeCount: () => 0,
})
