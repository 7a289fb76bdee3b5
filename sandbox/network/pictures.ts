// Profile pictures of people and groups: stored as unencrypted files, and announced when they change.
import { Readable } from 'node:stream'
import { extractImageThumb } from 'baileys'
import { jidOf, pnJid } from '../model/address.ts'
import { isMember } from '../model/group-rules.ts'
import { allows } from '../model/privacy.ts'
import { type Account, type AccountDevice, deviceIds, type Group, type World } from '../model/world.ts'
import { writeAccount, writeGroup } from '../store/documents.ts'
import type { MediaStore } from '../store/media-store.ts'
import { listChats } from '../store/messages.ts'
import { newStanzaId, nowSeconds, stanza } from '../wire/stanza.ts'
import { deliver, enqueue } from './delivery.ts'
import { groupDevices } from './routing.ts'
import type { DeliveryState, SandboxState } from './sandbox-state.ts'

const PREVIEW_PIXELS = 96

export async function setAccountPicture(state: SandboxState, account: Account, bytes: Uint8Array | null) {
  Object.assign(account, await savePicture(state.media, bytes))
  writeAccount(state.database, account)
  state.changes.record({ about: 'world' }, [account.owner])
  const friends = listChats(state.database, account.number)
    .flatMap((number) => state.world.accounts.get(number) ?? [])
    .filter((friend) => allows(account, 'profile', friend))
  const audience = [account, ...friends].flatMap((friend) =>
    deviceIds(friend).map((device) => ({ account: friend, device })),
  )
  await announce(state, jidOf(account, state.world.addressing), account, account.picture, audience)
}

export async function setGroupPicture(
  state: SandboxState,
  group: Group,
  actor: Account,
  bytes: Uint8Array | null,
): Promise<void> {
  Object.assign(group, await savePicture(state.media, bytes))
  writeGroup(state.database, group)
  const audience = groupDevices(state.world, group)
  state.changes.record({ about: 'world' }, [group.owner, ...audience.map(({ account }) => account.owner)])
  await announce(state, group.jid, actor, group.picture, audience)
}

/** The picture of a person or of a group, if this account may see it. */
export function pictureFor(world: World, viewer: Account, chat: string): string | undefined {
  const group = world.groups.get(chat)
  if (group) return isMember(group, viewer) ? (group.picture ?? undefined) : undefined
  const person = world.accounts.get(chat)
  const isVisible = person && (person === viewer || allows(person, 'profile', viewer))
  return isVisible ? (person.picture ?? undefined) : undefined
}

/** Identifies a picture in notifications and answers. */
export function pictureId(file: string): string {
  return file.slice(0, 16)
}

/** Null for a person or group without a picture. */
export function pictureIdOf({ picture }: { picture: string | null }): string | null {
  return picture === null ? null : pictureId(picture)
}

async function savePicture(media: MediaStore, bytes: Uint8Array | null) {
  if (!bytes) return { picture: null, preview: null }
  const save = async (content: Uint8Array) => (await media.keep(Readable.from([content]), 'picture')).file
  return { picture: await save(bytes), preview: await save(await previewOf(bytes)) }
}

/** Bytes that are not a picture are their own preview: the network stores what it gets. */
async function previewOf(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return (await extractImageThumb(Buffer.from(bytes), PREVIEW_PIXELS)).buffer
  } catch {
    return bytes
  }
}

async function announce(
  state: DeliveryState,
  from: string,
  author: Account,
  picture: string | null,
  audience: AccountDevice[],
): Promise<void> {
  const change = picture
    ? stanza('set', { jid: from, id: pictureId(picture), author: pnJid(author) })
    : stanza('delete', { jid: from, author: pnJid(author) })
  const deliveries = audience
    .filter(({ device }) => device !== 0)
    .map(({ account, device }) => {
      const attributes = { from, type: 'picture', id: newStanzaId(), t: nowSeconds() }
      return enqueue(state.database, account, device, stanza('notification', attributes, [change]))
    })
  await deliver(state, deliveries)
}
