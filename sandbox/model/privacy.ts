// Privacy settings: the value of each category, and what they allow another person.
import { PRIVACY_VALUES, type PrivacyCategory } from '../../src/contract/sandbox-world.ts'
import type { Account } from './world.ts'

export const PRIVACY_CATEGORIES = Object.keys(PRIVACY_VALUES) as PrivacyCategory[]

/** Categories whose value selects people. */
type Audience = 'last' | 'profile' | 'status' | 'groupadd'
type Person = Pick<Account, 'number' | 'blocked' | 'addressBook' | 'privacy'>

export function privacyOf({ privacy }: Pick<Account, 'privacy'>, category: PrivacyCategory): string {
  return privacy[category] ?? PRIVACY_VALUES[category][0]
}

export function isPrivacyCategory(name: string): name is PrivacyCategory {
  return Object.hasOwn(PRIVACY_VALUES, name)
}

export function isPrivacyValue(category: PrivacyCategory, value: string): boolean {
  return (PRIVACY_VALUES[category] as readonly string[]).includes(value)
}

/** Contacts are the people in the address book. The list of exceptions is not known here, so `contact_blacklist` has none. */
export function allows(owner: Person, category: Audience, other: Person): boolean {
  if (owner.number === other.number) return true
  if (owner.blocked.includes(other.number)) return false
  const value = privacyOf(owner, category)
  if (value === 'all') return true
  return value !== 'none' && Object.hasOwn(owner.addressBook, other.number)
}

/** A person who hides the last-seen time does not see that of others. */
export function showsLastSeen(owner: Person, viewer: Person): boolean {
  return allows(owner, 'last', viewer) && allows(viewer, 'last', owner)
}

export function showsOnline(owner: Person, viewer: Person): boolean {
  if (owner.blocked.includes(viewer.number)) return false
  return privacyOf(owner, 'online') === 'all' || showsLastSeen(owner, viewer)
}
