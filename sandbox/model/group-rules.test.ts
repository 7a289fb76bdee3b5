import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  defaultActor,
  isInvitationValid,
  isSubjectTooLong,
  type MemberChange,
  mayAdd,
  mayEdit,
  memberCode,
  roleAfter,
  successor,
} from './group-rules.ts'
import type { Account, GroupRole } from './world.ts'

type Person = Pick<Account, 'number' | 'blocked' | 'addressBook' | 'privacy'>

const CREATOR = '5511900000001'
const ADMIN = '5511900000002'
const MEMBER = '5511900000003'
const STRANGER = '5511900000004'

const person = (number: string, more: Partial<Person> = {}): Person => ({
  number,
  blocked: [],
  addressBook: {},
  privacy: {},
  ...more,
})
const group = (more: { joinApproval?: boolean; members?: Record<string, GroupRole> } = {}) => ({
  members: { [CREATOR]: 'superadmin', [ADMIN]: 'admin', [MEMBER]: 'member' } as Record<string, GroupRole>,
  joinApproval: false,
  ...more,
})

for (const [change, number, code] of [
  ['add', STRANGER, '200'],
  ['add', MEMBER, '409'],
  ['remove', MEMBER, '200'],
  ['remove', ADMIN, '200'],
  ['remove', STRANGER, '404'],
  ['remove', CREATOR, '405'],
  ['promote', MEMBER, '200'],
  ['promote', STRANGER, '404'],
  ['demote', ADMIN, '200'],
  ['demote', CREATOR, '405'],
  ['demote', STRANGER, '404'],
] as const satisfies [MemberChange, string, string][])
  test(`${change} of number ${number.at(-1)} gets ${code}`, () => {
    assert.equal(memberCode(group(), person(ADMIN), change, person(number)), code)
  })

test('the only admin cannot be demoted', () => {
  const members = { [ADMIN]: 'admin', [MEMBER]: 'member' } as const
  assert.equal(memberCode(group({ members }), person(ADMIN), 'demote', person(ADMIN)), '405')
})

test('privacy and blocking decide whether a person can be added', () => {
  const privacy = { groupadd: 'contacts' } as const
  const add = (added: Person) => memberCode(group(), person(ADMIN), 'add', added)
  assert.equal(add(person(STRANGER, { privacy })), '403')
  assert.equal(add(person(STRANGER, { privacy, addressBook: { [ADMIN]: 'Admin' } })), '200')
  assert.equal(add(person(STRANGER, { blocked: [ADMIN] })), '401')
})

test('with join approval, a person whom a member adds has to be approved; one whom an admin adds does not', () => {
  const approved = group({ joinApproval: true })
  assert.equal(memberCode(approved, person(MEMBER), 'add', person(STRANGER)), '202')
  assert.equal(memberCode(approved, person(ADMIN), 'add', person(STRANGER)), '200')
})

test('a locked group is edited by admins only, an unlocked one by members too', () => {
  const may = (locked: boolean, number: string) => mayEdit({ ...group(), locked }, { number })
  assert.deepEqual([may(false, MEMBER), may(false, STRANGER)], [true, false])
  assert.deepEqual([may(true, MEMBER), may(true, ADMIN)], [false, true])
})

test('the add mode decides whether members add others', () => {
  const may = (memberAddMode: 'admin_add' | 'all_member_add', number: string) =>
    mayAdd({ ...group(), memberAddMode }, { number })
  assert.deepEqual([may('all_member_add', MEMBER), may('all_member_add', STRANGER)], [true, false])
  assert.deepEqual([may('admin_add', MEMBER), may('admin_add', ADMIN)], [false, true])
})

test('the creator keeps the role when promoted', () => {
  assert.equal(roleAfter('superadmin', 'promote'), 'superadmin')
  assert.equal(roleAfter('member', 'promote'), 'admin')
  assert.equal(roleAfter('admin', 'demote'), 'member')
  assert.equal(roleAfter(undefined, 'add'), 'member')
  assert.equal(roleAfter('admin', 'remove'), undefined)
})

test('the member of longest standing becomes admin when no admin is left', () => {
  assert.equal(successor({ members: { [MEMBER]: 'member', [STRANGER]: 'member' } }), MEMBER)
  assert.equal(successor({ members: { [MEMBER]: 'member', [ADMIN]: 'admin' } }), undefined)
  assert.equal(successor({ members: {} }), undefined)
})

test('a subject has at most 100 characters, however they are encoded', () => {
  assert.equal(isSubjectTooLong('👍'.repeat(100)), false)
  assert.equal(isSubjectTooLong('a'.repeat(101)), true)
})

test('an invitation is valid with its code and until it expires', () => {
  const invitation = { code: 'right', expiresAt: 100, by: ADMIN }
  assert.equal(isInvitationValid(invitation, 'right', 99), true)
  assert.equal(isInvitationValid(invitation, 'right', 100), false)
  assert.equal(isInvitationValid(invitation, 'wrong', 99), false)
})

test('the creator acts by default, and the first admin after the creator has left', () => {
  const members = { [MEMBER]: 'member', [ADMIN]: 'admin' } as const
  assert.equal(defaultActor({ creator: CREATOR, members: { ...members, [CREATOR]: 'superadmin' } }), CREATOR)
  assert.equal(defaultActor({ creator: CREATOR, members }), ADMIN)
  assert.equal(defaultActor({ creator: CREATOR, members: {} }), CREATOR)
})
