// Calls about people: what they show, the block list, and their presence.

import { randomUUID } from 'node:crypto'
import type { KnownPerson } from '../../network/groups.ts'
import type { PersonIds } from '../../network/message.ts'
import type { BusinessFacts, PeopleCalls } from '../../network/people.ts'
import { idsOf, personOf, plainJid } from '../from-network/people.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import { jidNormalizedUser } from '../library/protocol.ts'
import { withTimeout } from '../library/with-timeout.ts'
import { networkCode } from '../sending/refusals.ts'
import { toKnownPerson } from './identifiers.ts'
import { usernameInAnswer, usernameQuery } from './usernames.ts'

/** For a whole call, with all its queries: shorter than a call between nodes may take. */
const ANSWER_MS = 20_000

type Calls = Pick<PeopleCalls, 'personFacts' | 'setBlocked' | 'blocklist' | 'followPresence'>

export const createPeopleCalls = (socket: LibrarySocket): Calls => ({
  personFacts: (jid) => withTimeout(readPerson(socket, jid), ANSWER_MS, 'the person'),
  setBlocked: (jid, isBlocked) =>
    withTimeout(changeBlocklist(socket, jid, isBlocked ? 'block' : 'unblock'), ANSWER_MS, 'the block list'),
  blocklist: () => withTimeout(readBlocklist(socket), ANSWER_MS, 'the block list'),
  followPresence: (jids) =>
    withTimeout(Promise.all(jids.map((jid) => follow(socket, jid))), ANSWER_MS, 'the presence'),
})

async function follow(socket: LibrarySocket, jid: string) {
  await socket.presenceSubscribe(jid)
  return { jid, lid: (await bothNames(socket, jid)).lid }
}

/** The library cannot block a person whose number is hidden: it looks for the number. */
async function changeBlocklist(
  socket: LibrarySocket,
  jid: string,
  action: 'block' | 'unblock',
): Promise<void> {
  const { phone } = await bothNames(socket, jid)
  if (phone !== null) return socket.updateBlockStatus(jid, action)
  await socket.query({
    tag: 'iq',
    attrs: { xmlns: 'blocklist', to: 's.whatsapp.net', type: 'set' },
    content: [{ tag: 'item', attrs: { action, jid } }],
  })
}

/** The identifiers of a person that the session knows. */
/** Both identifiers of a person, if the session knows them. */
async function bothNames(socket: LibrarySocket, jid: string): Promise<PersonIds> {
  const other = await socket.otherNameOf(jid)
  return personOf(jid, other === null ? null : plainJid(other), idsOf)
}

async function readPerson(socket: LibrarySocket, jid: string) {
  const [ids, username, about, blocked, business] = await Promise.all([
    bothNames(socket, jid),
    readPersonUsername(socket, jid),
    readAbout(socket, jid),
    socket.fetchBlocklist(),
    unlessHidden(socket.getBusinessProfile(jid)),
  ])
  const names = new Set<string | null>([jid, ids.jid, ids.lid])
  return {
    ...ids,
    username,
    ...about,
    isBlocked: blocked.some((each) => each !== undefined && names.has(jidNormalizedUser(each))),
    business: business ? toBusiness(business) : null,
  }
}

/** A refusal says nothing about the rest of the person. */
async function readPersonUsername(socket: LibrarySocket, jid: string): Promise<string | null> {
  try {
    return usernameInAnswer(await socket.query(usernameQuery(jid, randomUUID())))
  } catch (error) {
    if (networkCode(error) !== null) return null
    throw error
  }
}

/** An empty text means that it is hidden. */
export async function readAbout(
  socket: LibrarySocket,
  jid: string,
): Promise<{ about: string | null; aboutSetAtMs: number | null }> {
  const answer = (await unlessHidden(socket.fetchStatus(jid)))?.[0]
  const { status, setAt } = (answer?.status ?? {}) as { status?: string | null; setAt?: Date }
  const at = setAt?.getTime() ?? 0
  return status ? { about: status, aboutSetAtMs: at > 0 ? at : null } : { about: null, aboutSetAtMs: null }
}

const HIDDEN: ReadonlySet<number | null> = new Set([401, 403, 404])

/** The network refuses to show what a person hides. */
async function unlessHidden<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking
  } catch (error) {
    if (HIDDEN.has(networkCode(error))) return undefined
    throw error
  }
}

type LibraryBusiness = Exclude<Awaited<ReturnType<LibrarySocket['getBusinessProfile']>>, void>

const toBusiness = ({ description, category, address, email, website }: LibraryBusiness): BusinessFacts => ({
  description: description || null,
  category: category ?? null,
  address: address ?? null,
  email: email ?? null,
  websites: website,
})

async function readBlocklist(socket: LibrarySocket): Promise<KnownPerson[]> {
  const jids = (await socket.fetchBlocklist()).filter((jid) => jid !== undefined).map(jidNormalizedUser)
  const people = await Promise.all(
    jids.map(async (id) => {
      const other = await socket.otherNameOf(id)
      return toKnownPerson({ id, ...(other ? { lid: other } : {}) })
    }),
  )
  return people.filter((person) => person !== undefined)
}
