// Profile pictures of people and groups: stored as unencrypted files, and announced when they change.
import { Readable } from 'node:stream'
import { jidOf, pnJid } from '../model/address.ts'
import { type Account, type AccountDevice, deviceIds, type Group } from '../model/world.ts'
import { writeAccount, writeGroup } from '../store/documents.ts'
import type { MediaStore } from '../store/media-store.ts'
import { listChats } from '../store/messages.ts'
import { newStanzaId, nowSeconds, stanza } from '../wire/stanza.ts'
import { deliver, enqueue } from './delivery.ts'
import { groupDevices } from './routing.ts'
import type { DeliveryState, SandboxState } from './sandbox-state.ts'

export async function setAccountPicture(state: SandboxState, account: Account, bytes: Uint8Array | null) {
  account.picture = bytes ? await savePicture(state.media, bytes) : null
  writeAccount(state.database, account)
  state.changes.record({ about: 'world' }, [account.owner])
  const friends = listChats(state.database, account.number).flatMap(
    (number) => state.world.accounts.get(number) ?? [],
  )
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
  group.picture = bytes ? await savePicture(state.media, bytes) : null
  writeGroup(state.database, group)
  const audience = groupDevices(state.world, group)
  state.changes.record({ about: 'world' }, [group.owner, ...audience.map(({ account }) => account.owner)])
  await announce(state, group.jid, actor, group.picture, audience)
}

async function savePicture(media: MediaStore, bytes: Uint8Array): Promise<string> {
  return (await media.keep(Readable.from([bytes]), 'picture')).file
}

async function announce(
  state: DeliveryState,
  from: string,
  author: Account,
  picture: string | null,
  audience: AccountDevice[],
): Promise<void> {
  const change = picture
    ? stanza('set', { jid: from, id: picture.slice(0, 16), author: pnJid(author) })
    : stanza('delete', { jid: from, author: pnJid(author) })
  const deliveries = audience
    .filter(({ device }) => device !== 0)
    .map(({ account, device }) => {
      const attributes = { from, type: 'picture', id: newStanzaId(), t: nowSeconds() }
      return enqueue(state.database, account, device, stanza('notification', attributes, [change]))
    })
  await deliver(state, deliveries)
}
