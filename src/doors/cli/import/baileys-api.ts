// The Redis database of baileys-api: a hash `@baileys-api:connections:{phone}:authState` for each session.
import { connectRedis, type RedisClient } from './redis-client.ts'
import { countOtherClients, listHashes, sessionInHash } from './redis-sessions.ts'
import { type Belongings, type SessionSource, SourceError } from './session-source.ts'

/** With any prefix: it can be changed. */
const HASHES = '*:connections:*:authState'
const PHONE = /:connections:([^:]+):authState$/

export async function openBaileysApi(url: string): Promise<SessionSource> {
  const client = await connectRedis(url)
  return {
    async *sessions() {
      const hashes = await listHashes(client, HASHES)
      if (hashes.length === 0) throw new SourceError(`Redis has no hash with a name like ${HASHES}`)
      for (const hash of hashes)
        yield {
          ...sessionInHash(client, hash, PHONE.exec(hash)?.[1] ?? hash),
          belongings: () => belongingsIn(client, hash),
        }
    },
    runningNow: async () =>
      (await countOtherClients(client)) > 0 ? 'another client is connected to Redis' : undefined,
    close: async () => client.close(),
  }
}

const MAX_METADATA_BYTES = 64 * 1024

/** The settings of the connection, with its webhook. */
async function belongingsIn(client: RedisClient, hash: string): Promise<Belongings> {
  const length = await client.command('HSTRLEN', hash, 'metadata')
  if (Number(length) > MAX_METADATA_BYTES) return {}
  const text = await client.command('HGET', hash, 'metadata')
  const { webhookUrl, clientName, syncFullHistory } = metadataIn(text)
  return {
    settings: { clientName, syncFullHistory },
    ...(typeof webhookUrl === 'string' && { webhook: { url: webhookUrl } }),
  }
}

function metadataIn(text: unknown): Record<string, unknown> {
  try {
    const parsed = JSON.parse(String(text)) as unknown
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
