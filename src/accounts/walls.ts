// Whether a key may make a request. Resolves the target of the request and applies accounts/rules.ts. HTTP routes, dialects and streams all come
// through here; keys without walls cost no query.

import { chatOf, type GivenAddress, hasAddress, jidOfPerson } from '../chats/rules.ts'
import { listConfirmedForms } from '../contacts/number-queries.ts'
import { numberCandidates } from '../contacts/rules-numbers.ts'
import type { Event } from '../contract/events.ts'
import type { Route } from '../contract/route.ts'
import type { Scope } from '../contract/scopes.ts'
import { seesPart, WROTE_FIRST } from '../contract/wall-values.ts'
import { GatewayError } from '../errors.ts'
import { findInstance, type InstanceRow, listInstances } from '../instances/instance-queries.ts'
import { isLid, personJid, phoneOf } from '../network/jid.ts'
import type { Db } from '../store/tables.ts'
import { type KeyHolder, mayUse, scopeMissing } from './caller.ts'
import { listAddressPairs, listChatsWithIncoming, type RowWalls } from './key-queries.ts'
import {
  chatOfEvent,
  isLinkingEvent,
  type ReachedChat,
  reachesChat,
  reachesInstance,
  wallVerdict,
} from './rules.ts'

export type WalledKey = Pick<KeyHolder, 'walls' | 'scopes'> & { account: { id: number } }

/** The parsed input of a request. */
export type WalledInput = Partial<Record<'params' | 'query' | 'body', unknown>>

/** The refusal of this request for this key; undefined: the key may do it. Scopes first, then walls. */
export async function refusalOf(
  db: Db,
  key: WalledKey,
  route: Route,
  input: WalledInput,
): Promise<GatewayError | undefined> {
  if (route.scopes && !mayUse(key, route.scopes)) return scopeMissing(route.scopes)
  const wall = route.wall ?? 'refused'
  const { instance, address } = namedBy(input)
  const chat = address === undefined ? undefined : await reachedChat(db, key, instance, address)
  switch (wallVerdict(key.walls, wall, { instance, chat })) {
    case 'allowed':
      return undefined
    case 'refused':
      return new GatewayError('outside_walls')
    case 'hidden':
      return new GatewayError('instance_not_found')
  }
}

/** The fields by which requests name an instance and a chat, in all routes of the contract. */
interface NamingFields extends GivenAddress {
  instanceName?: string
  instance?: string
  phone?: string
  remoteJid?: string
}

export function namedBy({ params, query, body }: WalledInput): {
  instance: string | undefined
  address: string | undefined
} {
  const fields = Object.assign({}, params, query, body) as NamingFields
  const { number = fields.phone, chat = fields.remoteJid, groupJid } = fields
  const instance = fields.instanceName ?? fields.instance
  if (typeof number === 'string' && isLid(number)) return { instance, address: jidOfPerson(number) }
  const address = { number, chat, groupJid }
  return { instance, address: hasAddress(address) ? chatOf(address) : undefined }
}

/** Undefined: the chat of no instance, so that nothing of it can be inside. */
async function reachedChat(
  db: Db,
  key: WalledKey,
  apiName: string | undefined,
  chat: string,
): Promise<ReachedChat | undefined> {
  if (key.walls.chats === null || apiName === undefined) return undefined
  const row = await findInstance(db, key.account.id, apiName)
  return row && (await factsOf(db, key, row.id, [chat])).get(chat)
}

/** Throws unless the key may write to the chat. */
export async function requireInside(db: Db, key: Pick<WalledKey, 'walls'>, target: Located): Promise<void> {
  if ((await insideOf(db, key, [target])).length === 0) throw new GatewayError('outside_walls')
}

/** Those of the identifiers of one chat that the key reaches. */
export async function chatsInside(
  db: Db,
  key: Pick<WalledKey, 'walls'>,
  { id, api_name: apiName }: Pick<InstanceRow, 'id' | 'api_name'>,
  chats: readonly string[],
): Promise<string[]> {
  if (key.walls.chats === null) return [...chats]
  const located = chats.map((chat) => ({ instanceId: id, apiName, chat }))
  return (await insideOf(db, key, located)).map(({ chat }) => chat)
}

/** Where a row or an event belongs. Null: to no chat. */
export interface Located {
  instanceId: number
  apiName: string
  chat: string | null
}

/** Those that the key can see, in their order. */
export async function insideOf<T extends Located>(
  db: Db,
  key: Pick<WalledKey, 'walls'>,
  located: readonly T[],
): Promise<T[]> {
  const { walls } = key
  const there = located.filter(({ apiName }) => reachesInstance(walls, apiName))
  if (walls.chats === null) return there
  const inside = new Set<T>()
  for (const [instanceId, items] of Map.groupBy(there, (item) => item.instanceId)) {
    const facts = await factsOf(db, key, instanceId, [...new Set(items.flatMap(({ chat }) => chat ?? []))])
    for (const item of items) {
      const chat = item.chat === null ? undefined : facts.get(item.chat)
      if (chat && reachesChat(walls, chat)) inside.add(item)
    }
  }
  return there.filter((item) => inside.has(item))
}

/** The forms of each chat, and whether its people have written, for all of them together. */
async function factsOf(
  db: Db,
  { walls }: Pick<WalledKey, 'walls'>,
  instanceId: number,
  chats: readonly string[],
): Promise<Map<string, ReachedChat>> {
  const forms = await allForms(db, [instanceId], chats)
  const written =
    walls.chats === WROTE_FIRST
      ? await listChatsWithIncoming(db, instanceId, [...new Set([...forms.values()].flat())])
      : new Set<string>()
  return new Map(
    chats.map((chat) => {
      const names = forms.get(chat) ?? [chat]
      return [chat, { forms: names, hasWritten: names.some((name) => written.has(name)) }]
    }),
  )
}

/**
 * The identifiers that are known to be one account: number and lid, and two forms of a number for which the network has named the same account.
 * A form that is only likely is not among them (decision 0190).
 */
async function allForms(
  db: Db,
  instanceIds: readonly number[],
  chats: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map(chats.map((chat) => [chat, new Set([chat])]))
  const link = (pairs: readonly (readonly [string, string])[]) => {
    for (const names of found.values())
      for (const [one, other] of pairs) {
        if (names.has(one)) names.add(other)
        else if (names.has(other)) names.add(one)
      }
  }
  const linkAddresses = async (names: readonly string[]) => {
    const wanted = { lids: names.filter(isLid), phones: phonesOf(names) }
    const pairs = await listAddressPairs(db, instanceIds, wanted)
    link(pairs.map(({ lid, phone }) => [lid, personJid(phone)] as const))
  }
  const allNames = () => [...new Set([...found.values()].flatMap((names) => Array.from(names)))]
  await linkAddresses(chats)
  const named = allNames()
  const phones = phonesOf(named).flatMap(numberCandidates)
  const confirmed = await listConfirmedForms(db, instanceIds, phones)
  link(confirmed.map(({ number, jid }) => [personJid(number), jid] as const))
  const added = allNames().filter((name) => !named.includes(name))
  await linkAddresses(added)
  return new Map([...found].map(([chat, names]) => [chat, [...names]]))
}

const phonesOf = (names: readonly string[]): string[] => names.flatMap((name) => phoneOf(name) ?? [])

/** The condition for lists; undefined: the key sees everything. */
export async function rowWallsOf(db: Db, key: WalledKey): Promise<RowWalls | undefined> {
  const { walls } = key
  if (!seesPart(walls)) return undefined
  const instances = await listInstances(db, key.account.id)
  const there = instances.filter(({ api_name }) => reachesInstance(walls, api_name)).map(({ id }) => id)
  const instanceIds = walls.instances === null ? undefined : there
  if (walls.chats === null) return { instanceIds, chats: undefined }
  if (walls.chats === WROTE_FIRST) return { instanceIds, chats: WROTE_FIRST }
  return { instanceIds, chats: [...(await allForms(db, there, walls.chats)).values()].flat() }
}

type LoggedBody = Pick<Event, 'event' | 'data'> & { instance: { id: number; apiInstanceName: string } }

/** With one of them a key gets the steps of linking as events. */
const LINKING_SCOPES: readonly Scope[] = ['webhooks', 'instances:manage']

/** Those of the events that the key can see. */
export async function eventsInside<T extends LoggedBody>(
  db: Db,
  key: WalledKey,
  events: readonly T[],
): Promise<T[]> {
  const shown = mayUse(key, LINKING_SCOPES) ? events : events.filter(({ event }) => !isLinkingEvent(event))
  if (!seesPart(key.walls)) return [...shown]
  const located = shown.map((body) => ({
    body,
    instanceId: body.instance.id,
    apiName: body.instance.apiInstanceName,
    chat: chatOfEvent(body.event, body.data as never),
  }))
  return (await insideOf(db, key, located)).map(({ body }) => body)
}

/** Whether `eventsInside` can leave out anything for this key. */
export const seesAllEvents = (key: WalledKey): boolean => !seesPart(key.walls) && mayUse(key, LINKING_SCOPES)
