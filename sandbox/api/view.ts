// What a caller may see and use (decision 0080). The gateway names the calling account in a header and authenticates with the
// sandbox's key. A caller that sends the key without the header sees everything, as the gateway's operator does.
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../model/refusal.ts'
import type { Account, Group, Owner } from '../model/world.ts'
import { claimAccount, claimUnowned } from '../network/accounts.ts'
import type { Phone, StateWithPhones } from '../phones/phone.ts'

const OWNER_HEADER = 'x-sandbox-owner'
/** Names of accounts are longer, so none collides with this one. */
const OPERATOR = 'operator'

export interface View {
  /** The owner of phones and groups that this caller creates. */
  readonly owner: Owner
  /** The account whose phones and groups the caller sees; undefined when the caller sees all. */
  readonly account: string | undefined
  phones(): Account[]
  /** A phone that the caller may use. */
  phone(number: string): Phone
  /** As `phone`. A phone without an owner is assigned to the caller. */
  claimedPhone(number: string): Phone
  /** Any person on the network, because numbers are public. */
  person(number: string): Account
  groups(): Group[]
  group(jid: string): Group
}

export function viewOf(state: StateWithPhones, headers: FastifyRequest['headers']): View {
  const { world, database } = state
  const name = headers[OWNER_HEADER]
  const owner = typeof name === 'string' && name !== '' ? name : null
  const account = owner === null || owner === OPERATOR ? undefined : owner
  if (account !== undefined) claimUnowned(world, database, account)
  const isVisible = (thing: { owner?: Owner }) => account === undefined || thing.owner === account
  const phoneWith = (number: string, fits: (thing: Account) => boolean): Phone => {
    const phone = state.phones.get(number)
    if (!phone || !fits(phone.account))
      throw new Refusal('phone_not_found', `No phone has the number ${number}.`)
    return phone
  }
  return {
    owner,
    account,
    phones: () => [...world.accounts.values()].filter(isVisible),
    phone: (number) => phoneWith(number, isVisible),
    claimedPhone(number) {
      const phone = phoneWith(number, (thing) => isVisible(thing) || thing.owner === null)
      if (account !== undefined) claimAccount(database, phone.account, account)
      return phone
    },
    person: (number) => phoneWith(number, () => true).account,
    groups: () => [...world.groups.values()].filter(isVisible),
    group(jid) {
      const group = world.groups.get(jid)
      if (!group || !isVisible(group)) throw new Refusal('group_not_found', 'There is no such group.')
      return group
    },
  }
}
