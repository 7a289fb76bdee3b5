// People on the network: what they show, and whether they are blocked. Nothing of it is stored, except the picture.
import { GatewayError } from '../errors.ts'
import { isoOrNull } from '../rules/time.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { requireOpenInstance } from './instances.ts'
import { personPictureUrl } from './pictures.ts'

type PeopleDeps = Pick<Deps, 'store' | 'sessions'>

/** A person, as a path and a query name them. */
export interface PersonAddress {
  instanceName: string
  number: string
}

const UNREGISTERED = {
  isRegistered: false,
  jid: null,
  lid: null,
  about: null,
  aboutSetAt: null,
  profilePictureUrl: null,
  isBlocked: false,
  business: null,
}

export async function getPerson(
  deps: PeopleDeps & Pick<Deps, 'vault' | 'clock'>,
  caller: Caller,
  { instanceName, number }: PersonAddress,
) {
  const { sessions } = deps
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const { exists, jid } = await sessions.checkNumber(instance.id, number)
  if (!exists) return { number, ...UNREGISTERED }
  const { aboutSetAtMs, ...facts } = await sessions.personFacts(instance.id, jid)
  return {
    number,
    isRegistered: true,
    jid,
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
  const { exists, jid } = await deps.sessions.checkNumber(instance.id, number)
  if (!exists) throw new GatewayError('person_not_found')
  await deps.sessions.setBlocked(instance.id, jid, isBlocked)
  return { number, jid, isBlocked }
}

export async function getBlocklist(deps: PeopleDeps, caller: Caller, instanceName: string) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const people = await deps.sessions.blocklist(instance.id)
  return people.map(({ jid, lid, phone }) => ({ jid, lid, phone }))
}
