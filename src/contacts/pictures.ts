// Profile pictures of the account itself, of people and of groups: looked up, fetched, stored and served (decision 0074).
import { createHash } from 'node:crypto'
import type { Caller } from '../accounts/caller.ts'
import { chatOf, type GivenAddress } from '../chats/rules.ts'
import type { Deps } from '../context.ts'
import type { FileContent } from '../contract/route.ts'
import { GatewayError } from '../errors.ts'
import { contactUpdate, groupUpdate, type NewEvent } from '../events/rules-payloads.ts'
import { imageType } from '../files/rules.ts'
import { findInstanceById, type InstanceRow } from '../instances/instance-queries.ts'
import { requireInstance } from '../instances/instances.ts'
import { createSemaphore } from '../kernel/async/locks.ts'
import { isGroupJid, lidJid, personJid, phoneOf } from '../network/jid.ts'
import { NetworkError, type NetworkEvent, type NetworkSession } from '../network/network.ts'
import { lockInstance } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import { instanceScope } from '../store/vault.ts'
import { findChat, findContactByJid, findGroup } from './contact-queries.ts'
import { changedContact } from './contacts.ts'
import { currentChat } from './merge-people.ts'
import * as rows from './picture-queries.ts'
import { canServeStored, chatPictureUrl, nextPicture, REFRESH_MS, RETRY_MS } from './rules.ts'

// Profile pictures of the account itself, of people and of groups: fetched, stored and served (decision 0074).

/** Of how many chats of an instance the bytes are stored. */
const KEPT_PER_INSTANCE = 1000
/** A larger picture is served but not stored: the next request fetches it again. */
const MAX_KEPT_BYTES = 1024 * 1024

type PictureDeps = Pick<Deps, 'store' | 'vault' | 'clock'>
type ReaderDeps = PictureDeps & Pick<Deps, 'sessions'>
type FetchPicture = () => Promise<FileContent | null>

const ownJid = ({ number }: Pick<InstanceRow, 'number'>): string | undefined =>
  number === null ? undefined : personJid(number)
const cellOf = (jid: string) => ({ table: 'pictures', column: 'sealed', row: jid })

export async function profilePicture(
  deps: ReaderDeps,
  caller: Caller,
  instanceName: string,
): Promise<FileContent> {
  const instance = await requireInstance(deps, caller.account.id, instanceName)
  return servePicture(deps, instance, ownJid(instance))
}

export async function chatPicture(
  deps: ReaderDeps,
  caller: Caller,
  query: { instanceName: string } & GivenAddress,
): Promise<FileContent> {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  const { db } = deps.store
  const jid = await currentChat(db, instance.id, chatOf(query))
  const isKnown =
    (await findChat(db, instance.id, jid)) ??
    (await findGroup(db, instance.id, jid)) ??
    // Of a person whose profile was read.
    (await rows.findPicture(db, { instanceId: instance.id, jid }))
  if (!isKnown) throw new GatewayError('chat_not_found')
  return servePicture(deps, instance, jid)
}

/** Of a person who need not have a chat. Null: there is none, or the network does not answer now. */
export async function personPictureUrl(
  deps: ReaderDeps,
  caller: Caller,
  instance: InstanceRow,
  jid: string,
): Promise<string | null> {
  const bytes = await readPicture(deps, instance, jid).catch((error: unknown) => {
    if (error instanceof NetworkError) return null
    throw error
  })
  const known = bytes && (await rows.findPicture(deps.store.db, { instanceId: instance.id, jid }))
  return chatPictureUrl(caller.origin, instance.api_name, jid, known?.version)
}

async function servePicture(
  deps: ReaderDeps,
  instance: InstanceRow,
  jid: string | undefined,
): Promise<FileContent> {
  const picture =
    jid === undefined || instance.logged_in === 0 ? null : await readPicture(deps, instance, jid)
  const contentType = picture && imageType(picture)
  if (!picture || !contentType) throw new GatewayError('profile_picture_not_found')
  return { bytes: picture, contentType }
}

async function readPicture(deps: ReaderDeps, instance: InstanceRow, jid: string): Promise<Uint8Array | null> {
  const { store, vault, sessions, clock } = deps
  const key = { instanceId: instance.id, jid }
  const known = await rows.findPicture(store.db, key)
  const isOwn = jid === ownJid(instance)
  if (!canServeStored(known, { now: clock(), isOwn })) {
    return refreshPicture(deps, key, () => sessions.profilePicture(instance.id, jid))
  }
  if (!known?.sealed) return null
  return vault.unseal(store.db, instanceScope(instance.id), cellOf(jid), known.sealed)
}

/** Fetches the picture from the network and stores the result. */
export async function refreshPicture(
  deps: PictureDeps,
  key: rows.PictureKey,
  fetchPicture: FetchPicture,
): Promise<Uint8Array | null> {
  const before = await rows.findPicture(deps.store.db, key)
  const found = await fetchPicture()
  // Bytes that are not an image are neither served nor stored.
  const bytes = found && imageType(found.bytes) ? found.bytes : null
  await recordPicture(deps, key, bytes, before?.version)
  return bytes
}

/** Of the account that has just logged in. */
export async function refreshOwnPicture(
  deps: PictureDeps,
  instanceId: number,
  fetchPicture: (own: string) => Promise<FileContent | null>,
): Promise<void> {
  const instance = await findInstanceById(deps.store.db, instanceId)
  const jid = instance && ownJid(instance)
  if (jid !== undefined) await refreshPicture(deps, { instanceId, jid }, () => fetchPicture(jid))
}

async function recordPicture(
  { store, vault, clock }: PictureDeps,
  key: rows.PictureKey,
  bytes: Uint8Array | null,
  asOf: number | undefined,
): Promise<void> {
  const { instanceId, jid } = key
  await store.transaction(async (tx) => {
    const instance = await lockLoggedIn(tx, instanceId)
    const before = await rows.findPicture(tx, key)
    // The network announced another picture while these bytes were being fetched.
    if (!instance || before?.version !== asOf) return
    const now = clock()
    const digest = bytes && createHash('sha256').update(bytes).digest('hex')
    const { status, version, isChange } = nextPicture(before, digest, now)
    const isKept = bytes !== null && bytes.length <= MAX_KEPT_BYTES
    await rows.upsertPicture(tx, key, {
      status,
      sealed: isKept ? await vault.seal(tx, instanceScope(instanceId), cellOf(jid), bytes) : null,
      digest,
      version,
      checked_at: now,
      due_at: now + REFRESH_MS,
    })
    if (isKept) await rows.clearOldPictureBytes(tx, instanceId, KEPT_PER_INSTANCE)
    await copyOwnVersion(tx, instance, jid, status === 'present' ? version : null)
    if (isChange) await store.appendEvents(tx, await changeEvents(tx, key, now))
  })
}

/** The network reports that a picture was set or removed. New bytes are fetched with the next request or by the picture worker. */
export async function recordPictureChange(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  instanceId: number,
  { jid: named, change, author = null }: Extract<NetworkEvent, { kind: 'picture' }>,
): Promise<void> {
  await store.transaction(async (tx) => {
    const instance = await lockLoggedIn(tx, instanceId)
    if (!instance) return
    const jid = await storedChat(tx, instance, named)
    const key = { instanceId, jid }
    const isKnown =
      jid === ownJid(instance) ||
      (await findChat(tx, instanceId, jid)) ||
      (await findGroup(tx, instanceId, jid))
    if (!isKnown) return
    const now = clock()
    const before = await rows.findPicture(tx, key)
    const isSet = change === 'set'
    // Two changes within one millisecond get different versions.
    const version = Math.max(now, (before?.version ?? 0) + 1)
    await rows.upsertPicture(tx, key, {
      status: isSet ? 'present' : 'absent',
      sealed: null,
      digest: null,
      version,
      checked_at: now,
      due_at: isSet ? 0 : now + REFRESH_MS,
    })
    await copyOwnVersion(tx, instance, jid, isSet ? version : null)
    const events = await changeEvents(tx, key, now)
    if (isGroupJid(jid))
      events.push(groupUpdate(instanceId, jid, { author, changes: { picture: change } }, now))
    await store.appendEvents(tx, events)
  })
}

/** Undefined for an instance that was logged out meanwhile: nothing can be stored, because its key is destroyed. */
async function lockLoggedIn(tx: Db, instanceId: number): Promise<InstanceRow | undefined> {
  await lockInstance(tx, instanceId)
  const instance = await findInstanceById(tx, instanceId)
  return instance?.logged_in === 1 ? instance : undefined
}

/** The network may report a person by lid; chats are stored by number where it is known. */
async function storedChat(tx: Db, instance: InstanceRow, jid: string): Promise<string> {
  if (jid === lidJid(instance.lid ?? '')) return ownJid(instance) ?? jid
  return currentChat(tx, instance.id, jid)
}

async function copyOwnVersion(
  tx: Db,
  instance: InstanceRow,
  jid: string,
  version: number | null,
): Promise<void> {
  if (jid === ownJid(instance)) await rows.setOwnPictureVersion(tx, instance.id, version)
}

/** `contacts.update` for a saved contact, or for a person with a chat. */
async function changeEvents(tx: Db, { instanceId, jid }: rows.PictureKey, now: number): Promise<NewEvent[]> {
  const contact = await findContactByJid(tx, instanceId, jid)
  if (contact) return [contactUpdate(await changedContact(tx, contact), now)]
  const chat = isGroupJid(jid) ? undefined : await findChat(tx, instanceId, jid)
  if (!chat) return []
  const { name, push_name } = chat
  const unsaved = { instance_id: instanceId, id: null, name, jid, phone: phoneOf(jid), push_name }
  return [contactUpdate(await changedContact(tx, unsaved), now)]
}

/** Fetches one picture per connected instance, of all or of those that a node serves, a few at a time. Returns how many were due. */
export async function refreshDuePictures(
  deps: ReaderDeps & { nodeId?: number | undefined },
  atOnce: number,
): Promise<number> {
  const due = await rows.listDuePictures(deps.store.db, deps.clock(), deps.nodeId)
  for (let from = 0; from < due.length; from += atOnce) {
    await Promise.all(due.slice(from, from + atOnce).map((key) => refreshDue(deps, key)))
  }
  return due.length
}

async function refreshDue(deps: ReaderDeps, key: rows.PictureKey): Promise<void> {
  try {
    await refreshPicture(deps, key, () => deps.sessions.profilePicture(key.instanceId, key.jid))
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    // Tried again later, after the others: a picture that always fails must not block them.
    await rows.postponePicture(deps.store.db, key, deps.clock() + RETRY_MS)
  }
}

// Limits lookups of profile pictures: a page that shows a hundred of them must not cause a hundred requests at once.

const AT_ONCE = 2
const MAX_WAITING = 100

interface Lookups {
  acquire: () => Promise<() => void>
  /** Under way or waiting, by chat: callers for the same picture share one lookup. */
  byChat: Map<string, Promise<FileContent | null>>
}

export function createPictureLookups(
  openSession: (instanceId: number) => NetworkSession,
): (instanceId: number, chat: string) => Promise<FileContent | null> {
  const lookups = new Map<number, Lookups>()

  async function lookUp({ acquire }: Lookups, instanceId: number, chat: string): Promise<FileContent | null> {
    const release = await acquire()
    try {
      return await openSession(instanceId).profilePicture(chat)
    } finally {
      release()
    }
  }
  return async (instanceId, chat) => {
    const own = lookups.get(instanceId) ?? { acquire: createSemaphore(AT_ONCE), byChat: new Map() }
    lookups.set(instanceId, own)
    const running = own.byChat.get(chat)
    if (running) return running
    if (own.byChat.size >= MAX_WAITING) {
      throw new NetworkError('unavailable', 'too many profile picture lookups are waiting')
    }
    const started = lookUp(own, instanceId, chat).finally(() => {
      own.byChat.delete(chat)
      if (own.byChat.size === 0) lookups.delete(instanceId)
    })
    own.byChat.set(chat, started)
    return started
  }
}
