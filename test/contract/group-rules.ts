// Tests that all calls about groups and calls share. Each endpoint's test file runs them on its route.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordGroups } from '../../src/chats/group-reports.ts'
import type { RouteId } from '../../src/contract/routes.ts'
import type { NetworkGroup } from '../../src/network/groups.ts'
import { NetworkError, type NetworkErrorKind } from '../../src/network/network.ts'
import type { CallInput, Gateway } from '../support/gateway.ts'
import { type Fixture, scripted } from './fixture.ts'
import { sampleCalls, UNKNOWN } from './sample-calls.ts'

export const GROUP = '120363000000000000@g.us'

const member = (phone: string, isAdmin = false) => ({
  jid: `${phone}@s.whatsapp.net`,
  lid: null,
  phone,
  isAdmin,
})

export const ANA = member('5511912345678')
export const BEN = member('5511987654321', true)

export const networkGroup = (change: Partial<NetworkGroup> = {}): NetworkGroup => ({
  jid: GROUP,
  subject: 'Team',
  description: null,
  ownerJid: BEN.jid,
  createdAtMs: 1_700_000_000_000,
  isAdmin: true,
  isAnnouncement: false,
  isLocked: false,
  joinApproval: false,
  memberAdd: 'admins',
  disappearingSeconds: 0,
  participants: [ANA, BEN],
  ...change,
})

/** Stores a group, as a session does when it reports one. */
export const reportGroup = (
  { store, clock }: Pick<Gateway, 'store' | 'clock'>,
  instanceId: number,
  change: Partial<NetworkGroup> = {},
): Promise<void> => recordGroups({ store, clock: clock.now }, instanceId, { groups: [networkGroup(change)] })

/** The call of the scripted network that the route makes. */
type ScriptName = keyof Gateway['sessions']['script']

export interface LiveRules {
  id: RouteId
  script: ScriptName
  /** Refusals of the network that the route answers with a reason of its own. */
  refusals?: Partial<Record<NetworkErrorKind, readonly [status: number, reason: string]>>
}

const REFUSALS: LiveRules['refusals'] = {
  refused: [502, 'refused_by_network'],
  unavailable: [503, 'unavailable'],
  timeout: [504, 'network_timeout'],
}
export const FOR_MEMBERS = { not_a_group_member: [404, 'not_a_group_member'] } as const
/** Changes of the account are encrypted with a key that the phone shares after the link. */
export const FOR_CHANGES = { keys_missing: [503, 'phone_keys_missing'] } as const
export const FOR_ADMINS = { ...FOR_MEMBERS, not_a_group_admin: [403, 'not_a_group_admin'] } as const

/** Calls the route of the rules on an instance, with changes to the sample call. */
export const sampleCall =
  (fixture: () => Promise<Fixture>, id: RouteId) =>
  async (change: CallInput = {}) => {
    const { mine, instance } = await fixture()
    return mine.call(id, { ...sampleCalls[id]({ ...UNKNOWN, instance: instance.name }), ...change })
  }

export function liveRules(fixture: () => Promise<Fixture>, { id, script, refusals }: LiveRules): void {
  const call = sampleCall(fixture, id)
  for (const [kind, [status, reason]] of Object.entries({ ...REFUSALS, ...refusals }))
    test(`${status} with ${reason} when the network answers ${kind}`, async () => {
      const fail = () => {
        throw new NetworkError(kind as NetworkErrorKind, 'scripted', undefined, 499)
      }
      const answer = await scripted(await fixture(), { [script]: fail }, () => call())
      assert.deepEqual([answer.status, answer.json.reason], [status, reason])
      if (reason === 'refused_by_network') assert.equal(answer.json.networkCode, 499)
    })

  test('404 when the instance does not exist', async () => {
    const { mine } = await fixture()
    const answer = await mine.call(id, sampleCalls[id](UNKNOWN))
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })

  test('409 when the instance is not connected', async () => {
    const running = await fixture()
    const { name, id: instanceId } = await running.openInstance(running.mine)
    await running.sessions.move(instanceId, 'connection_lost')
    const answer = await running.mine.call(id, sampleCalls[id]({ ...UNKNOWN, instance: name }))
    assert.deepEqual([answer.status, answer.json.reason], [409, 'instance_not_connected'])
  })
}

/** An instance with one stored group. */
export const withGroup =
  (fixture: () => Promise<Fixture>) =>
  async (change: Partial<NetworkGroup> = {}) => {
    const running = await fixture()
    await reportGroup(running, running.instance.id, change)
    return running
  }
