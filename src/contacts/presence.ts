// Presence of people: who is followed, the events about them, and how often one is recorded (decision 0098).

import { setTimeout as pause } from 'node:timers/promises'
import type { Caller } from '../accounts/caller.ts'
import { shownName, withPersonIds } from '../chats/rules.ts'
import type { Deps } from '../context.ts'
import { MAX_SUBSCRIPTIONS, type Presence } from '../contract/people.ts'
import { GatewayError } from '../errors.ts'
import { presenceUpdate } from '../events/rules-payloads.ts'
import { requireInstance, requireOpenInstance } from '../instances/instances.ts'
import { iso, isoOrNull } from '../kernel/time.ts'
import { phoneOf } from '../network/jid.ts'
import type { PresenceChange } from '../network/people.ts'
import { lockInstance } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import { findNames } from './name-queries.ts'
import { lookUpAll } from './numbers.ts'
import * as rows from './presence-queries.ts'
import { isPresenceNews } from './rules-presence-news.ts'

// Presence of people: who is followed, and the events about them. Only changes of followed people are reported (decision 0098).

type PresenceDeps = Pick<Deps, 'store' | 'clock' | 'sessions'>

export async function listPresence(deps: Pick<Deps, 'store'>, caller: Caller, instanceName: string) {
  const instance = await requireInstance(deps, caller.account.id, instanceName)
  return listFollowed(deps.store.db, instance.id)
}

/** The subscription is stored first, so that the answer of the network about the current presence is not missed. */
export async function followPresence(
  deps: PresenceDeps,
  caller: Caller,
  { instanceName, numbers }: { instanceName: string; numbers: string[] },
) {
  const { store, sessions } = deps
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const found = await lookUpAll(deps, instance.id, numbers)
  const jids = [...new Set(found.flatMap((person) => person?.jid ?? []))]
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instance.id))) throw new GatewayError('instance_not_found')
    await addAll(deps, tx, instance.id, jids)
  })
  // Makes the account online if it is not: the network reports presence to no other one.
  await sessions.applySettings(instance.id)
  const names = await sessions.followPresence(instance.id, jids)
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instance.id))) return
    for (const { jid, lid } of names) await rows.setLid(tx, instance.id, jid, lid)
  })
  return {
    subscriptions: await listFollowed(store.db, instance.id),
    numbers: numbers.map((name, index) => ({
      ...shownName(name),
      outcome: found[index] ? ('subscribed' as const) : ('not_on_network' as const),
    })),
  }
}

async function addAll(
  { clock }: Pick<Deps, 'clock'>,
  tx: Db,
  instanceId: number,
  jids: string[],
): Promise<void> {
  const known = new Set((await rows.listSubscriptions(tx, instanceId)).map(({ jid }) => jid))
  const added = jids.filter((jid) => !known.has(jid))
  if (known.size + added.length > MAX_SUBSCRIPTIONS)
    throw new GatewayError('subscriptions_full', { limit: MAX_SUBSCRIPTIONS, used: known.size })
  for (const jid of added)
    await rows.addSubscription(tx, {
      instance_id: instanceId,
      jid,
      lid: null,
      presence: null,
      last_seen: null,
      updated_at: clock(),
    })
}

/** The network reports them until the next connection. These reports are ignored. */
export async function unfollowPresence(
  deps: PresenceDeps,
  caller: Caller,
  { instanceName, numbers }: { instanceName: string; numbers: string[] },
) {
  const { store, sessions } = deps
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const found = await lookUpAll(deps, instance.id, numbers)
  const jids = found.flatMap((person) => person?.jid ?? [])
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instance.id))) throw new GatewayError('instance_not_found')
    await rows.deleteSubscriptions(tx, instance.id, jids)
  })
  await sessions.applySettings(instance.id)
  return {
    subscriptions: await listFollowed(store.db, instance.id),
    numbers: numbers.map((name, index) => ({
      ...shownName(name),
      outcome: found[index] ? ('unsubscribed' as const) : ('not_on_network' as const),
    })),
  }
}

async function listFollowed(db: Db, instanceId: number) {
  const followed = await rows.listSubscriptions(db, instanceId)
  const namesOf = await findNames(
    db,
    followed.map(({ jid }) => ({ instanceId, chat: jid })),
  )
  return followed.map((row) => describe(row, namesOf({ instanceId, chat: row.jid })?.username))
}

const describe = (row: rows.SubscriptionRow, username: string | null | undefined) => ({
  ...withPersonIds({ jid: row.jid, lid: row.lid, phone: phoneOf(row.jid), username }),
  presence: row.presence as Presence | null,
  lastSeen: isoOrNull(row.last_seen),
  updatedAt: iso(row.updated_at),
})

/** Reported by a session. Ignored unless the person is followed and the presence has changed. */
export async function recordPresence(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  instanceId: number,
  change: PresenceChange,
): Promise<void> {
  const { person, presence, lastSeenMs, atMs } = change
  const names = person.lid === null ? [person.jid] : [person.jid, person.lid]
  // Without a lock first: most reports are of people who are not followed, or repeat the known presence.
  const seen = await rows.findSubscription(store.db, instanceId, names)
  if (!seen || !isPresenceNews(seen, change)) return
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const row = await rows.findSubscription(tx, instanceId, names)
    if (!row || !isPresenceNews(row, change)) return
    await rows.recordPresence(tx, row, { presence, last_seen: lastSeenMs, updated_at: atMs })
    const followed = { ...person, jid: row.jid, lid: person.lid ?? row.lid, phone: phoneOf(row.jid) }
    await store.appendEvents(tx, [
      presenceUpdate(
        instanceId,
        { person: followed, chat: row.jid, presence, lastSeen: isoOrNull(lastSeenMs), at: iso(atMs) },
        clock(),
      ),
    ])
  })
}

// Limits how often the presence of one person is recorded: the first change at once, then the latest one per second.

const PAUSE_MS = 1000

interface PresenceReporter {
  report(change: PresenceChange): void
}

/** A person who starts and stops typing many times a second must not cause as many events. */
export function createPresenceReporter(
  record: (change: PresenceChange) => Promise<void>,
  onFailure: (error: unknown) => void,
  pauseFor: (ms: number) => Promise<unknown> = (ms) => pause(ms, undefined, { ref: false }),
): PresenceReporter {
  /** By person: the latest change that waits for the end of the pause; undefined: none does. */
  const pausing = new Map<string, PresenceChange | undefined>()
  async function run(jid: string, first: PresenceChange): Promise<void> {
    for (let next: PresenceChange | undefined = first; next; next = pausing.get(jid)) {
      pausing.set(jid, undefined)
      await record(next).catch(onFailure)
      await pauseFor(PAUSE_MS)
    }
    pausing.delete(jid)
  }
  return {
    report(change) {
      const { jid } = change.person
      if (pausing.has(jid)) pausing.set(jid, change)
      else void run(jid, change)
    },
  }
}
