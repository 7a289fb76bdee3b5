// The key with which the account encrypts its messages to a group, and the record of the members who have it.

import { SENDER_KEYS, senderKeyName } from '../../network/group-ciphers.ts'
import type { AuthState } from './auth-state.ts'
import { GIVEN_KEYS } from './given-keys.ts'

export interface OwnGroupKeys {
  /** The next message to this group gives every member the key again. */
  giveKeyAgain(group: string): Promise<void>
  /**
   * Must be called before a message to the group. The library has a key for each address of the account, the lid and the number, but
   * one record of the members who have the key. When the network describes a group differently, the library would
   * encrypt with a key that no member has.
   */
  bindKeyTo(group: string, addressing: 'lid' | 'pn'): Promise<void>
}

export function createOwnGroupKeys(
  { creds, keys }: AuthState,
  addressOf: (jid: string) => string,
): OwnGroupKeys {
  return {
    giveKeyAgain: async (group) => keys.set({ [GIVEN_KEYS]: { [group]: null } }),
    async bindKeyTo(group, addressing) {
      const { id, lid } = creds.me ?? {}
      if (!id || !lid) return
      const [used, unused] = (addressing === 'lid' ? [lid, id] : [id, lid]).map((jid) =>
        senderKeyName(group, addressOf(jid)),
      ) as [string, string]
      const { [unused]: outdated } = await keys.get(SENDER_KEYS, [unused])
      if (!outdated) return
      // The key of the other address goes too: it would be used again after the next change.
      const change = { [GIVEN_KEYS]: { [group]: null }, [SENDER_KEYS]: { [unused]: null, [used]: null } }
      await keys.set(change)
    },
  }
}
