// The network may confirm a login before there is one, and confirms it once per connection. The library takes over the account's lid
// from the stanza, also if it has none: it would then encrypt for groups with another key.
import type { BinaryNode } from 'baileys'
import type { AuthState } from './auth-state.ts'
import type { Listener } from './replace-listeners.ts'

const OWN_LID = /^\d{1,20}(?::\d{1,5})?@lid$/

export function confirmOnce(creds: Pick<AuthState['creds'], 'account' | 'me'>, listener: Listener): Listener {
  let isConfirmed = false
  return (stanza) => {
    if (!creds.account || isConfirmed) return undefined
    isConfirmed = true
    const { attrs, ...rest } = stanza as BinaryNode
    const { lid: given = '', ...others } = attrs
    const lid = OWN_LID.test(given) ? given : creds.me?.lid
    return listener({ ...rest, attrs: lid ? { ...others, lid } : others })
  }
}
