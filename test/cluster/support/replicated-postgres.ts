// A PostgreSQL server with a streaming replica, which can take its place.
import { withDatabase } from '../../support/database.ts'
import { until } from '../../support/linked.ts'
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts'

/** Its address is that of the server that works. */
export interface ReplicatedPostgres extends Omit<OwnPostgres, 'startReplica' | 'promote'> {
  /** From now on the replica gets nothing more: what is committed now is lost in a failover. */
  detachReplica(): Promise<void>
  /** Stops the first server for ever, without notice to its clients, and promotes the replica. */
  failOver(): Promise<void>
}

export async function startReplicatedPostgres(
  mode: 'synchronous' | 'asynchronous',
): Promise<ReplicatedPostgres> {
  const primary = await startOwnPostgres()
  const replica = await primary.startReplica()
  const settle = (server: OwnPostgres, setting: string) =>
    withDatabase(server.storeLocation, async (database) => {
      await database.rows(`alter system set ${setting}`)
      await database.rows('select pg_reload_conf()')
    })
  await untilStreaming(primary)
  // After the copy was made: the replica has no replica of its own to wait for.
  if (mode === 'synchronous') {
    await settle(primary, `synchronous_standby_names = '*'`)
    await untilStreaming(primary, 'sync')
  }
  const replicated: ReplicatedPostgres = {
    host: primary.host,
    port: primary.port,
    storeLocation: { ...primary.storeLocation },
    restart: primary.restart,
    async detachReplica() {
      await settle(replica, `primary_conninfo = ''`)
      await until('a replica without a primary', () =>
        withDatabase(replica.storeLocation, async (database) => {
          const receivers = await database.rows('select pid from pg_stat_wal_receiver')
          return receivers.length === 0 ? true : undefined
        }),
      )
    },
    async failOver() {
      await primary.stop()
      await replica.promote()
      replicated.port = replica.port
      replicated.storeLocation.databaseUrl = replica.storeLocation.databaseUrl
    },
    async stop() {
      await primary.stop()
      await replica.stop()
    },
  }
  return replicated
}

const untilStreaming = (primary: OwnPostgres, state?: 'sync') =>
  until('a replica that follows', () =>
    withDatabase(primary.storeLocation, async (database) => {
      const rows = await database.rows<{ sync_state: string }>(
        `select sync_state from pg_stat_replication where state = 'streaming' and application_name = 'walreceiver'`,
      )
      return rows.some(({ sync_state: found }) => state === undefined || found === state) ? true : undefined
    }),
  )
