// The jids under which one chat may be stored.

import { numberCandidates } from '../contacts/rules-number-candidates.ts'
import { personJid, phoneOf } from '../network/jid.ts'

/** A queued message is stored under the number of the request, which may be another form of the number that the network uses. */
export const chatForms = (jids: readonly string[]): string[] => [
  ...new Set(
    jids.flatMap((jid) => {
      const phone = phoneOf(jid)
      return phone === null ? [jid] : numberCandidates(phone).map(personJid)
    }),
  ),
]
