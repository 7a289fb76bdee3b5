// The chat that a request means today: a person who was named by lid may have shown the number since.
import { isLid, personJid } from '../network/jid.ts'
import type { Db } from '../store/tables.ts'
import { findPhone } from './reported-queries.ts'

/** Costs a query only for a lid. */
export async function currentChat(db: Db, instanceId: number, chat: string): Promise<string> {
  const phone = isLid(chat) ? await findPhone(db, instanceId, chat) : null
  return phone === null ? chat : personJid(phone)
}
