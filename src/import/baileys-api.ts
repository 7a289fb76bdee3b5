// The Redis database of baileys-api: a hash `@baileys-api:connections:{phone}:authState` for each session.
import { connectRedis } from './redis-client.ts'
import { countOtherClients, listHashes, sessionInHash } from './redis-sessions.ts'
import { type SessionSource, SourceError } from './session-source.ts'

/** With any prefix: it can be changed. */
const HASHES = '*:connections:*:authState'
const PHONE = /:connections:([^:]+):authState$/

export async function openBaileysApi(url: string): Promise<SessionSource> {
  const client = await connectRedis(url)
  return {
    async *sessions() {
      const hashes = await listHashes(client, HASHES)
      if (hashes.length === 0) throw new SourceError(`Redis has no hash with a name like ${HASHES}`)
      for (const hash of hashes) yield sessionInHash(client, hash, PHONE.exec(hash)?.[1] ?? hash)
    },
    runningNow: async () =>
      (await countOtherClients(client)) > 0 ? 'another client is connected to Redis' : undefined,
    close: async () => client.close(),
  }
}
