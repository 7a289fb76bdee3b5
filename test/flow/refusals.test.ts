// Refusals of the network: a number that joins later is reachable at once, and a send to a group without the instance fails
// without retries.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { behaviourCases } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import type { Answer } from '../support/gateway.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

for (const { engine, variant: addressing } of behaviourCases(['pn', 'lid'] as const))
  describe(`refusals of the network (${engine.name}, ${addressing})`, () => {
    const number = (last: number) => `551191333${String(last).padStart(4, '0')}`
    const [OWNER, BOB, CAROL] = [number(1), number(2), number(3)]
    let storeLocation: StoreLocation
    let sandbox: SandboxWorld
    let line: PairedInstance
    before(async () => {
      storeLocation = await engine.createLocation()
      sandbox = await startSandboxWorld(
        storeLocation.databaseUrl ? { DATABASE_URL: storeLocation.databaseUrl } : {},
      )
      await sandbox.setAddressing(addressing)
      for (const each of [BOB, CAROL]) await sandbox.world.phone(each, `Phone ${each.slice(-1)}`)
      line = await sandbox.pair(OWNER)
    })
    after(async () => {
      await sandbox.stop()
      await storeLocation.dispose()
    })

    const isSettled = ({ status }: Answer['json']) => !['queued', 'sending'].includes(status)
    const outcome = async (id: 'sendText' | 'sendGroup', to: Record<string, string>) => {
      const body = {
        instanceName: line.name,
        message: 'hello',
        ...to,
        ...(id === 'sendText' && { delay: 0 }),
      }
      const { messageId } = await sandbox.api(id, { body })
      return sandbox.message(line, messageId, isSettled)
    }
    const toNumber = (to: string) => outcome('sendText', { number: to })
    const refused = async (to: string) =>
      assert.equal((await toNumber(to)).failure?.reason, 'number_not_on_network')
    const reached = async (to: string) => assert.equal((await toNumber(to)).failure, null)
    const makeGroup = async (members: string[]): Promise<string> =>
      answers.group.parse(await sandbox.world.post('/groups', { subject: 'G', members, admin: BOB })).group
        .jid
    const listed = (jid: string) =>
      until(
        () => sandbox.api('listGroups', { query: { instanceName: line.name } }),
        ({ groups }) => groups.some((each: { groupJid: string }) => each.groupJid === jid),
        'the group',
      )

    describe('a number that joins later is reachable at the first sign of it', () => {
      test('check-number finds it', async () => {
        await refused(number(10))
        await sandbox.world.phone(number(10), 'Ten')
        const query = { instanceName: line.name, number: number(10) }
        assert.equal((await sandbox.api('checkNumber', { query })).data.exists, true)
        await reached(number(10))
      })

      test('it sends a message', async () => {
        await refused(number(11))
        await sandbox.world.phone(number(11), 'Eleven')
        const text = await sandbox.world.send(number(11), { to: OWNER, text: 'I am here' })
        await sandbox.message(line, text)
        await reached(number(11))
      })

      test('it sends a message under the older form of its number', async () => {
        const [requested, registered] = ['5511987654321', '551187654321']
        await refused(requested)
        await sandbox.world.phone(registered, 'Eight digits')
        const text = await sandbox.world.send(registered, { to: OWNER, text: 'I am here' })
        await sandbox.message(line, text)
        await reached(requested)
      })

      test('it is a member of a group of the instance', async () => {
        await refused(number(12))
        await sandbox.world.phone(number(12), 'Twelve')
        await listed(await makeGroup([OWNER, number(12)]))
        await reached(number(12))
      })
    })

    describe('a send to a group without the instance fails without retries', () => {
      const fails = async (groupJid: string) => {
        const { status, failure, groupJid: sentTo } = await outcome('sendGroup', { groupJid })
        assert.deepEqual([status, failure?.reason, sentTo], ['failed', 'not_a_group_member', groupJid])
      }

      test('one that does not exist', () => fails('120363999999999999@g.us'))

      test('one that the instance was never in', async () => fails(await makeGroup([CAROL])))

      test('one that the instance was removed from; after it is added again the send succeeds', async () => {
        const groupJid = await makeGroup([OWNER])
        await listed(groupJid)
        assert.equal((await outcome('sendGroup', { groupJid })).failure, null)
        const change = (what: string) =>
          sandbox.world.post(`/groups/${groupJid}/members`, { change: what, members: [OWNER] })
        await change('remove')
        await fails(groupJid)
        await until(
          () => sandbox.api('listGroups', { query: { instanceName: line.name } }),
          ({ groups }) => !groups.some((each: { groupJid: string }) => each.groupJid === groupJid),
          'the end of the membership',
        )
        await change('add')
        await listed(groupJid)
        assert.equal((await outcome('sendGroup', { groupJid })).failure, null)
      })

      test('a group in which only admins write refuses with its code, and does not count as left', async () => {
        const groupJid = await makeGroup([OWNER])
        await listed(groupJid)
        await sandbox.world.ask('PATCH', `/groups/${groupJid}`, { announcement: true })
        const { failure } = await outcome('sendGroup', { groupJid })
        assert.deepEqual([failure.reason, failure.code], ['rejected_by_network', 403])
      })
    })

    test('a temporary refusal is retried; a permanent one fails with its code', async () => {
      const fault = (code: number) =>
        sandbox.world.post('/faults', { kind: 'reject', number: OWNER, code, count: 1 })
      for (const code of [503, 479]) {
        await fault(code)
        assert.equal((await toNumber(BOB)).failure, null, `${code}`)
      }
      await fault(405)
      const { failure } = await toNumber(BOB)
      assert.deepEqual([failure.reason, failure.code], ['rejected_by_network', 405])
    })
  })
