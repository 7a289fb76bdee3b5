// Further nodes on the database of a gateway, as other processes would have registered them.
import type { Gateway } from '../support/gateway.ts'

interface NodeRow {
  id: number
  status: 'standby' | 'live' | 'draining' | 'dead'
  url?: string | null
  leaseMs?: number
  startedAt?: number
  endedMsAgo?: number
  endedBy?: string
}

/** Runs `work` beside these nodes. On SQLite there are none. */
export async function besideNodes(
  { store }: Gateway,
  nodes: readonly NodeRow[],
  work: () => Promise<void>,
): Promise<void> {
  const now = Date.now()
  const ids = nodes.map(({ id }) => id)
  await store.db
    .insertInto('nodes')
    .values(
      nodes.map(({ id, status, url, leaseMs = 60_000, startedAt = now, endedMsAgo, endedBy = null }) => ({
        id,
        name: `node ${id}`,
        status,
        url: url === undefined ? `http://10.0.0.1:${id}` : url,
        version: '1.0.0',
        instances: 3,
        lease_until: now + leaseMs,
        started_at: startedAt,
        ended_at: endedMsAgo === undefined ? null : now - endedMsAgo,
        ended_by: endedBy,
      })),
    )
    .execute()
  try {
    await work()
  } finally {
    await store.db.deleteFrom('nodes').where('id', 'in', ids).execute()
  }
}

export const statusOfNode = async ({ store }: Gateway, id: number): Promise<string | undefined> =>
  (await store.db.selectFrom('nodes').select('status').where('id', '=', id).executeTakeFirst())?.status
