// A person who was met by lid first and by number later becomes one person, with one chat and one contact (decision 0133).
import type { Deps } from '../context.ts'
import { chatUpdate } from '../events/append-store.ts'
import { contactsMerged, type NewEvent } from '../events/rules-payloads.ts'
import type { BoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { isLid, personJid } from '../network/jid.ts'
import type { ReceivedMessage } from '../network/message.ts'
import type { Interpretation } from '../network/network.ts'
import { lockInstance } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import * as rows from './merge-queries.ts'
import { findPhone, findPhones } from './reported-queries.ts'

export interface MergeDeps extends Pick<Deps, 'store' | 'clock'> {
  /** People whose rows are known to be one: the number by instance and lid. Absent: they are looked for each time. */
  settledLids?: BoundedMap<EntryName<'instance'>, string> | undefined
}

interface Named {
  lid?: string | null | undefined
  phone: string | null
}

/**
 * Merges the people whose lid and number are both known, each in a transaction. Returns those to whose lid a message is being sent: they
 * are merged when the network names both identifiers again, and are known by lid until then.
 */
export async function mergePeople(
  deps: MergeDeps,
  instanceId: number,
  people: Iterable<Named>,
): Promise<rows.TwoNames[]> {
  const { store, settledLids } = deps
  const key = (lid: string) => entryName('instance', instanceId, lid)
  const named = new Map<string, string>()
  for (const { lid, phone } of people)
    if (lid && phone !== null && settledLids?.get(key(lid)) !== phone) named.set(lid, phone)
  if (named.size === 0) return []
  const both = [...named].map(([lid, phone]) => ({ lid, phone }))
  const busy: rows.TwoNames[] = []
  for (const names of await rows.findStoredByLid(store.db, instanceId, both))
    if (!(await mergeOne(deps, instanceId, names))) busy.push(names)
  for (const names of both) if (!busy.includes(names)) settledLids?.set(key(names.lid), names.phone)
  return busy
}

/**
 * A send was accepted for the lid of a person who has been merged meanwhile: it joins those that wait for the number. For the moment
 * after the commit, before a worker is woken for it.
 */
export async function mergeLateSend(
  deps: Pick<MergeDeps, 'store' | 'clock'>,
  instanceId: number,
  chat: string,
): Promise<void> {
  const phone = isLid(chat) ? await findPhone(deps.store.db, instanceId, chat) : null
  if (phone !== null) await mergeOne(deps, instanceId, { lid: chat, phone })
}

async function mergeOne(
  { store, clock }: MergeDeps,
  instanceId: number,
  { lid, phone }: rows.TwoNames,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return true
    const now = clock()
    const merged = await rows.mergePerson(tx, { instanceId, lid, phone, now })
    if (merged) await store.appendEvents(tx, eventsOf(instanceId, { lid, phone }, merged, now))
    return merged !== undefined
  })
}

function eventsOf(
  instanceId: number,
  { lid, phone }: rows.TwoNames,
  { chat, contact, removedContactId }: rows.MergedPerson,
  now: number,
): NewEvent[] {
  const person = { jid: personJid(phone), lid, phone, pushName: chat?.push_name ?? null }
  const facts = { person, contactId: contact?.id ?? null, removedContactId }
  return [contactsMerged(instanceId, facts, now), ...(chat ? [chatUpdate(chat, now)] : [])]
}

/** What an arrival says, with one name for each person; people are merged first, where both names are known. */
export async function withOneName(
  deps: MergeDeps,
  instanceId: number,
  read: Interpretation,
): Promise<Interpretation> {
  const known = await withKnownNumbers(deps.store.db, instanceId, read)
  const busy = await mergePeople(deps, instanceId, [
    ...known.messages.map(({ from }) => from),
    ...known.people,
  ])
  return renamed(known, new Map(busy.map(({ lid, phone }) => [personJid(phone), { jid: lid, phone: null }])))
}

/** People who are named by lid only get the number, where the store knows it. */
async function withKnownNumbers(db: Db, instanceId: number, read: Interpretation): Promise<Interpretation> {
  const { messages, people, chats } = read
  const names = [
    ...messages.flatMap(({ chat, from }) => [chat, from.jid]),
    ...people.map(({ jid }) => jid),
    ...chats.map(({ jid }) => jid),
  ]
  const phones = await findPhones(db, instanceId, [...new Set(names.filter(isLid))])
  return renamed(read, new Map([...phones].map(([lid, phone]) => [lid, { jid: personJid(phone), phone }])))
}

interface Name {
  jid: string
  phone: string | null
}

function renamed(read: Interpretation, names: ReadonlyMap<string, Name>): Interpretation {
  if (names.size === 0) return read
  const jidOf = (jid: string): string => names.get(jid)?.jid ?? jid
  const personOf = <P extends Name>(person: P): P => ({ ...person, ...names.get(person.jid) })
  const messageOf = (message: ReceivedMessage): ReceivedMessage => ({
    ...message,
    chat: jidOf(message.chat),
    from: personOf(message.from),
  })
  const chatOf = (chat: Interpretation['chats'][number]) => ({ ...chat, jid: jidOf(chat.jid) })
  return {
    ...read,
    messages: read.messages.map(messageOf),
    people: read.people.map(personOf),
    chats: read.chats.map(chatOf),
  }
}

// The chat that a request means today: a person who was named by lid may have shown the number since.

/** Costs a query only for a lid. */
export async function currentChat(db: Db, instanceId: number, chat: string): Promise<string> {
  const phone = isLid(chat) ? await findPhone(db, instanceId, chat) : null
  return phone === null ? chat : personJid(phone)
}
