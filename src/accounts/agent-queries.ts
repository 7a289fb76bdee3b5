// Codes of the authorization page for agents, by their hash.
import type { Db, NewRow, Row } from '../store/tables.ts'

export type AgentCodeRow = Row<'agent_codes'>

export async function insertAgentCode(tx: Db, row: NewRow<'agent_codes'>): Promise<void> {
  await tx.insertInto('agent_codes').values(row).execute()
}

export const findAgentCode = (db: Db, hash: string): Promise<AgentCodeRow | undefined> =>
  db.selectFrom('agent_codes').selectAll().where('hash', '=', hash).executeTakeFirst()

/** Undefined: it was used before. */
export const useAgentCode = (tx: Db, hash: string, usedAt: number): Promise<AgentCodeRow | undefined> =>
  tx
    .updateTable('agent_codes')
    .set({ used_at: usedAt })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

export async function noteKeyOfCode(tx: Db, hash: string, keyId: number): Promise<void> {
  await tx.updateTable('agent_codes').set({ key_id: keyId }).where('hash', '=', hash).execute()
}

export async function deleteAgentCodes(tx: Db, expiredBefore: number): Promise<void> {
  await tx.deleteFrom('agent_codes').where('expires_at', '<', expiredBefore).execute()
}
