// Numbers: whether they are registered on the network, and the person behind each.

import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import { requireOpenInstance } from '../instances/instances.ts'
import { createSemaphore } from '../kernel/async/locks.ts'
import type { PersonNames } from '../network/groups.ts'
import { isLid, personJid } from '../network/jid.ts'
import type { NumberOnNetwork } from '../network/network.ts'
import { clearUnknownNumbers, upsertKnownNumber } from './number-queries.ts'
import { allNumberForms } from './rules-number-evidence.ts'

/** Numbers that are looked up at the same time. */
const LOOKUPS_AT_ONCE = 5

export type AskDeps = Pick<Deps, 'store' | 'sessions' | 'clock'>

/** Remembers where the network knows the number under another form: keys with walls depend on it (decision 0190). */
export async function askNetwork(
  { store, sessions, clock }: AskDeps,
  instanceId: number,
  number: string,
): Promise<NumberOnNetwork> {
  const now = clock()
  const answer = await sessions.checkNumber(instanceId, number)
  const { exists, jid, isConfirmed = false } = answer
  if (exists && isConfirmed && jid !== personJid(number))
    await upsertKnownNumber(store.db, { instanceId, number, jid, isConfirmed, now })
  return answer
}

export async function checkNumber(
  deps: AskDeps,
  caller: Caller,
  query: { instanceName: string; number: string },
) {
  const instance = await requireOpenInstance(deps, caller, query.instanceName)
  const answer = await askNetwork(deps, instance.id, query.number)
  if (answer.exists) await clearUnknownNumbers(deps.store.db, instance.id, allNumberForms([query.number]))
  return { exists: answer.exists, jid: answer.jid, number: query.number, instance: instance.api_name }
}

/** Numbers that are asked for at the same time. */
const CHECKED_AT_ONCE = 10

/** In the order of the request. A number that is given twice is asked for once. */
export async function checkNumbers(
  deps: AskDeps,
  caller: Caller,
  query: { instanceName: string; numbers: string[] },
) {
  const instance = await requireOpenInstance(deps, caller, query.instanceName)
  const answers = new Map<string, { exists: boolean; jid: string }>()
  const check = async (number: string) => answers.set(number, await askNetwork(deps, instance.id, number))
  const distinct = [...new Set(query.numbers)]
  for (let from = 0; from < distinct.length; from += CHECKED_AT_ONCE)
    await Promise.all(distinct.slice(from, from + CHECKED_AT_ONCE).map(check))
  const registered = [...answers].flatMap(([number, { exists }]) => (exists ? [number] : []))
  await clearUnknownNumbers(deps.store.db, instance.id, allNumberForms(registered))
  return query.numbers.map((number) => {
    const { exists = false, jid = '' } = answers.get(number) ?? {}
    return { number, exists, jid }
  })
}

/** The identifiers of each person; null if the number is not registered. A lid needs no lookup: the network has given it. */
export async function lookUpAll(
  deps: AskDeps,
  instanceId: number,
  names: string[],
): Promise<(PersonNames | null)[]> {
  const acquire = createSemaphore(LOOKUPS_AT_ONCE)
  return Promise.all(
    names.map(async (name) => {
      if (isLid(name)) return { jid: name, lid: name }
      const release = await acquire()
      try {
        const { exists, jid } = await askNetwork(deps, instanceId, name)
        return exists ? { jid, lid: null } : null
      } finally {
        release()
      }
    }),
  )
}
