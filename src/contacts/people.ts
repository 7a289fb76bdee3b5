// People on the network: what they show, and whether they are blocked. Nothing of it is stored, except the picture.

import type { Caller } from '../accounts/caller.ts'
import { jidOfPerson, withPersonIds } from '../chats/rules.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { requireOpenInstance } from '../instances/instances.ts'
import { isoOrNull } from '../kernel/time.ts'
import { phoneOf } from '../network/jid.ts'
import { currentChat } from './merge-people.ts'
import { type AskDeps, askNetwork } from './numbers.ts'
import { personPictureUrl } from './pictures.ts'

type PeopleDeps = AskDeps

/** A person, as a path and a query name them: by digits or by lid. */
export interface PersonAddress {
  instanceName: string
  number: string
}

const UNREGISTERED = {
  isRegistered: false,
  jid: null,
  chat: null,
  lid: null,
  username: null,
  about: null,
  aboutSetAt: null,
  profilePictureUrl: null,
  isBlocked: false,
  business: null,
}

export async function getPerson(
  deps: PeopleDeps & Pick<Deps, 'vault'>,
  caller: Caller,
  { instanceName, number }: PersonAddress,
) {
  const { sessions } = deps
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const found = await findPerson(deps, instance.id, number)
  // A form that the network has not confirmed is outside the walls of a key.
  if (!found || (found.isGuess && caller.walls.chats !== null)) return { number, ...UNREGISTERED }
  const { aboutSetAtMs, phone, jid, username, ...facts } = await sessions.personFacts(instance.id, found.jid)
  return {
    number: found.number ?? phone,
    isRegistered: true,
    jid,
    chat: jid,
    username: username ?? null,
    ...facts,
    aboutSetAt: isoOrNull(aboutSetAtMs),
    profilePictureUrl: await personPictureUrl(deps, caller, instance, jid),
  }
}

export async function setBlocked(
  deps: PeopleDeps,
  caller: Caller,
  { instanceName, number }: PersonAddress,
  isBlocked: boolean,
) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const found = await findPerson(deps, instance.id, number)
  if (!found) throw new GatewayError('person_not_found')
  await deps.sessions.setBlocked(instance.id, found.jid, isBlocked)
  return { number: found.number, jid: found.jid, isBlocked }
}

/** By number if the request or the store has it; a lid needs no lookup, because the network has given it. */
async function findPerson(
  deps: PeopleDeps,
  instanceId: number,
  name: string,
): Promise<{ number: string | null; jid: string; isGuess: boolean } | undefined> {
  const chat = await currentChat(deps.store.db, instanceId, jidOfPerson(name))
  const number = phoneOf(chat)
  if (number === null) return { number, jid: chat, isGuess: false }
  const { exists, jid, isConfirmed = false } = await askNetwork(deps, instanceId, number)
  return exists ? { number, jid, isGuess: !isConfirmed && jid !== chat } : undefined
}

export async function getBlocklist(deps: PeopleDeps, caller: Caller, instanceName: string) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const people = await deps.sessions.blocklist(instance.id)
  return people.map(({ jid, lid, phone, username }) => withPersonIds({ jid, lid, phone, username }))
}
