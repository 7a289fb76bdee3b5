// The nodes on one database.
import type { Db } from '../tables.ts'

/**
 * Whether a node is live, until the end of the transaction: a node that takes over waits for it, and a transaction that begins
 * after the takeover finds the node dead. Only on PostgreSQL, where several processes use one database.
 */
export async function isNodeLive(tx: Db, nodeId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('nodes')
    .select('id')
    .where('id', '=', nodeId)
    .where('status', '=', 'live')
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}
