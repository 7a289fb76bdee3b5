// Data directories: settings survive a restart, and documents of an earlier version get the fields that they lack.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const CAROL = '5511900000003'
const LATER_ACCOUNT_FIELDS = ['aboutAt', 'preview', 'disappearing', 'business']
const LATER_GROUP_FIELDS = [
  'memberAddMode',
  'joinApproval',
  'requests',
  'invitations',
  'revokedCodes',
  'preview',
]

describe('the data directory', () => {
  let dataDir: string
  let jid: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
    const world = await World.start({ dataDir })
    for (const [number, name] of [
      [ALICE, 'Alice'],
      [BOB, 'Bob'],
      [CAROL, 'Carol'],
    ] as const)
      await world.phone(number, name)
    const body = { subject: 'Kept', members: [BOB], admin: ALICE }
    jid = answers.group.parse(await world.post('/groups', body)).group.jid
    await world.ask('PATCH', `/groups/${jid}`, { joinApproval: true, disappearingSeconds: 604_800 })
    const { inviteCode } = (await world.get(`/groups/${jid}`, answers.group)).group
    await world.post(`/phones/${CAROL}/join`, { code: inviteCode })
    await world.ask('PATCH', `/phones/${ALICE}`, { privacy: { last: 'none' }, disappearingSeconds: 86_400 })
    await world.stop()
  })
  after(() => rm(dataDir, { recursive: true }))

  test('settings of groups, requests to join and settings of people survive a restart', async () => {
    const world = await World.start({ dataDir })
    const { group } = await world.get(`/groups/${jid}`, answers.group)
    assert.deepEqual(
      [
        group.joinApproval,
        group.memberAdd,
        group.disappearingSeconds,
        group.requests.map(({ number }) => number),
      ],
      [true, 'all', 604_800, [CAROL]],
    )
    const { phone } = await world.get(`/phones/${ALICE}`, answers.phone)
    assert.deepEqual([phone.privacy['last'], phone.disappearingSeconds], ['none', 86_400])
    await world.stop()
  })

  test('a directory of an earlier version opens; only admins add members to its groups', async () => {
    const file = new DatabaseSync(join(dataDir, 'sandbox.db'))
    const remove = (table: string, fields: string[]) =>
      file.exec(
        `UPDATE ${table} SET document = json_remove(document, ${fields.map((name) => `'$.${name}'`).join(', ')})`,
      )
    remove('accounts', LATER_ACCOUNT_FIELDS)
    remove('groups', LATER_GROUP_FIELDS)
    file.close()
    const world = await World.start({ dataDir })
    const { group } = await world.get(`/groups/${jid}`, answers.group)
    assert.deepEqual([group.memberAdd, group.joinApproval, group.requests], ['admins', false, []])
    const { phone } = await world.get(`/phones/${ALICE}`, answers.phone)
    assert.deepEqual([phone.disappearingSeconds, phone.business, phone.hasPicture], [0, null, false])
    await world.post(`/groups/${jid}/invite-code`, {})
    await world.post(`/groups/${jid}/members`, { change: 'add', members: [CAROL] })
    await world.stop()
  })
})
