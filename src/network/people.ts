// The part of the network port about people and the profile of this account.
import type { Presence } from '../contract/people.ts'
import type { PrivacyName } from '../contract/profile.ts'
import type { KnownPerson, PersonNames } from './groups.ts'
import type { PersonIds } from './message.ts'

/** What a person shows to the account. */
export interface PersonFacts extends PersonIds {
  about: string | null
  aboutSetAtMs: number | null
  isBlocked: boolean
  /** Null: the account is not a business account. */
  business: BusinessFacts | null
}

export interface BusinessFacts {
  description: string | null
  category: string | null
  address: string | null
  email: string | null
  websites: string[]
}

export interface OwnProfile {
  name: string | null
  about: string | null
  aboutSetAtMs: number | null
  /** Null: the network does not say. */
  privacy: Record<PrivacyName, string | null>
  defaultDisappearingSeconds: number | null
}

/** Absent: unchanged. */
export interface ProfileChange {
  /** Null removes it. */
  picture?: Uint8Array | null | undefined
  name?: string | undefined
  about?: string | undefined
  privacy?: Partial<Record<PrivacyName, string | undefined>> | undefined
  defaultDisappearingSeconds?: number | undefined
  linkPreviews?: boolean | undefined
}

export interface PresenceChange {
  person: KnownPerson
  presence: Presence
  /** Only with `unavailable`; null: the person does not show it. */
  lastSeenMs: number | null
  atMs: number
}

/** Calls about people and the profile of this account, on an open session. */
export interface PeopleCalls {
  personFacts(jid: string): Promise<PersonFacts>
  setBlocked(jid: string, isBlocked: boolean): Promise<void>
  blocklist(): Promise<KnownPerson[]>
  /** Asks the network for the presence of these people until the connection ends. Returns them with both identifiers. */
  followPresence(jids: string[]): Promise<PersonNames[]>
  ownProfile(): Promise<OwnProfile>
  /** Makes the changes one after the other, and stops at the first that is refused. The picture is a JPEG, uploaded as it is. */
  changeProfile(change: ProfileChange): Promise<void>
}

/** The names of the calls, for the parts that pass them on. */
export const PEOPLE_CALLS = [
  'personFacts',
  'setBlocked',
  'blocklist',
  'followPresence',
  'ownProfile',
  'changeProfile',
] as const satisfies readonly (keyof PeopleCalls)[]

/** The same calls for the session of an instance. */
export type LivePeopleCalls = {
  [K in keyof PeopleCalls]: (
    instanceId: number,
    ...args: Parameters<PeopleCalls[K]>
  ) => ReturnType<PeopleCalls[K]>
}
