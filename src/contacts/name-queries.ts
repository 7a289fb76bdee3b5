// The names that the store knows of people: the lid of a number, and the username of a lid.

import type { KnownNames } from '../chats/rules.ts'
import { isLid, phoneOf } from '../network/jid.ts'
import { chunksOf } from '../store/chunks.ts'
import type { Db } from '../store/tables.ts'

export interface ChatOfInstance {
  instanceId: number
  chat: string
}

/** The names of a chat; undefined for a group, and for a person of whom nothing more is known. */
export type NamesOf = (chat: ChatOfInstance) => KnownNames | undefined

/** For the chats of one page of a list: at most two queries per chunk and instance. */
export async function findNames(db: Db, chats: readonly ChatOfInstance[]): Promise<NamesOf> {
  const known = new Map<string, KnownNames>()
  for (const [instanceId, own] of Map.groupBy(chats, (chat) => chat.instanceId)) {
    const lids = await lidsOf(db, instanceId, own)
    const usernames = await usernamesOf(db, instanceId, [...lids.values()])
    for (const [chat, lid] of lids)
      known.set(`${instanceId} ${chat}`, { lid, username: usernames.get(lid) ?? null })
  }
  return ({ instanceId, chat }) => known.get(`${instanceId} ${chat}`)
}

/** Of several lids of a number, the one that was reported last. */
async function lidsOf(
  db: Db,
  instanceId: number,
  chats: readonly ChatOfInstance[],
): Promise<Map<string, string>> {
  const lids = new Map(chats.filter(({ chat }) => isLid(chat)).map(({ chat }) => [chat, chat]))
  const chatOfPhone = new Map(
    chats.flatMap(({ chat }) => {
      const phone = phoneOf(chat)
      return phone === null ? [] : [[phone, chat] as const]
    }),
  )
  for (const phones of chunksOf([...chatOfPhone.keys()])) {
    const rows = await db
      .selectFrom('addresses')
      .select(['phone', 'lid'])
      .where('instance_id', '=', instanceId)
      .where('phone', 'in', phones)
      .orderBy('updated_at')
      .execute()
    for (const { phone, lid } of rows) lids.set(chatOfPhone.get(phone) ?? '', lid)
  }
  return lids
}

async function usernamesOf(db: Db, instanceId: number, lids: string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const some of chunksOf(lids)) {
    const rows = await db
      .selectFrom('usernames')
      .select(['lid', 'username'])
      .where('instance_id', '=', instanceId)
      .where('lid', 'in', some)
      .execute()
    for (const { lid, username } of rows) found.set(lid, username)
  }
  return found
}
