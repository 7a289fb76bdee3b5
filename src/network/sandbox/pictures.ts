/** Profile pictures of people and groups: kept as plain files, announced when they change. */
import { jidOf, pnJid } from './address.ts'
import { deliver, enqueue } from './delivery.ts'
import type { Exchange } from './exchange.ts'
import { groupDevices, type Sender } from './routing.ts'
import { newStanzaId, nowSeconds, stanza } from './stanza.ts'
import { writeAccount, writeGroup } from './store/documents.ts'
import { listChats } from './store/messages.ts'
import { type Account, deviceIds, type Group } from './world.ts'

export async function setAccountPicture(exchange: Exchange, account: Account, bytes: Uint8Array | null) {
  account.picture = bytes ? await exchange.media.save(bytes, 'picture') : null
  writeAccount(exchange.database, account)
  exchange.changes.note({ about: 'world' })
  const friends = listChats(exchange.database, account.number).flatMap(
    (number) => exchange.world.accounts.get(number) ?? [],
  )
  const audience = [account, ...friends].flatMap((friend) =>
    deviceIds(friend).map((device) => ({ account: friend, device })),
  )
  await announce(exchange, jidOf(account, exchange.world.addressing), account, account.picture, audience)
}

export async function setGroupPicture(
  exchange: Exchange,
  group: Group,
  actor: Account,
  bytes: Uint8Array | null,
): Promise<void> {
  group.picture = bytes ? await exchange.media.save(bytes, 'picture') : null
  writeGroup(exchange.database, group)
  exchange.changes.note({ about: 'world' })
  await announce(exchange, group.jid, actor, group.picture, groupDevices(exchange, group))
}

async function announce(
  exchange: Exchange,
  from: string,
  author: Account,
  picture: string | null,
  audience: Sender[],
): Promise<void> {
  const change = picture
    ? stanza('set', { jid: from, id: picture.slice(0, 16), author: pnJid(author) })
    : stanza('delete', { jid: from, author: pnJid(author) })
  const deliveries = audience
    .filter(({ device }) => device !== 0)
    .map(({ account, device }) => {
      const attributes = { from, type: 'picture', id: newStanzaId(), t: nowSeconds() }
      return enqueue(exchange, account, device, stanza('notification', attributes, [change]))
    })
  await deliver(exchange, deliveries)
}
