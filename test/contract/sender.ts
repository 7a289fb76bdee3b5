// Sends through one endpoint, for the rules that all send endpoints share.
import type { RouteId } from '../../src/contract/routes.ts'
import type { Account, Answer, CallInput, Gateway } from '../support/gateway.ts'
import type { Fixture } from './fixture.ts'
import { sampleCalls, UNKNOWN } from './sample-calls.ts'

export type SendId = Extract<RouteId, `send${string}`>
type Body = Record<string, unknown>

export interface SendRules {
  id: SendId
  type: string
  /** Whether the default delay is random (text and media) or 0. */
  drawsDelay: boolean
  to: 'number' | 'groupJid' | 'status'
}

export const sampleBody = (id: SendId, instance: string): Body =>
  sampleCalls[id]({ ...UNKNOWN, instance }).body as Body

/** The stored rows of one instance, oldest first. */
export const storedMessages = ({ store }: Gateway, instanceId: number) =>
  store.db
    .selectFrom('messages')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .orderBy('row_id')
    .execute()

interface Sender {
  (extra?: Body, input?: CallInput): Promise<Answer>
}
export const sender =
  (account: Account, id: SendId, instance: string): Sender =>
  (extra = {}, input = {}) =>
    account.call(id, { ...input, body: { ...sampleBody(id, instance), ...extra } })

/** A new open instance of the shared account, with a function that sends through it. */
export async function freshInstance(fixture: Fixture, id: SendId, account = fixture.mine) {
  const instance = await fixture.openInstance(account)
  return { instance, send: sender(account, id, instance.name) }
}
