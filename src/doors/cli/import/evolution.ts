// Evolution API: instances and logins in its database, keys in the folder `instances` or in Redis.
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { keysIn, newestChange } from './baileys-folder.ts'
import { openEvolutionExport } from './evolution-export.ts'
import { openEvolutionPostgres } from './evolution-postgres.ts'
import type { EvolutionTables, ForeignInstance } from './evolution-tables.ts'
import { connectRedis, type RedisClient } from './redis-client.ts'
import { countOtherClients, keysInHash, listHashes, sessionInHash } from './redis-sessions.ts'
import { type FoundSession, type SessionSource, SourceError } from './session-source.ts'

type KeysOf = Pick<FoundSession, 'keys' | 'changedAt'>

/** Where the keys of sessions are. */
interface KeyLocation {
  /** Rejects if there is nothing for the instance. */
  of(instanceId: string): Promise<KeysOf>
  /** The login, where it is stored with the keys. */
  creds(instanceId: string): Promise<string>
  runningNow(): Promise<string | undefined>
  close(): void
}

export async function openEvolution(location: string, keys: string | undefined): Promise<SessionSource> {
  if (keys === undefined)
    throw new SourceError(
      '--keys: expected the folder `instances` of Evolution API, or the URL of its Redis as redis://…',
    )
  const tables = /^[a-z]+:\/\//i.test(location)
    ? await openEvolutionPostgres(location)
    : await openEvolutionExport(resolve(location))
  try {
    const stored = /^rediss?:/.test(keys) ? await keysInRedis(keys) : await keysInFolder(keys)
    return {
      sessions: () => sessionsIn(tables, stored),
      runningNow: async () => (await tables.runningNow()) ?? stored.runningNow(),
      async close() {
        stored.close()
        await tables.close()
      },
    }
  } catch (error) {
    await tables.close()
    throw error
  }
}

async function* sessionsIn(tables: EvolutionTables, stored: KeyLocation): AsyncIterable<FoundSession> {
  const instances = await tables.instances()
  if (instances.length === 0) throw new SourceError('Evolution API has no instances')
  for (const instance of instances) yield sessionOf(tables, stored, instance)
}

function sessionOf(tables: EvolutionTables, stored: KeyLocation, instance: ForeignInstance): FoundSession {
  const { id, name, token, integration } = instance
  return {
    label: name,
    async creds() {
      if (integration !== null && integration !== 'WHATSAPP-BAILEYS')
        throw new SourceError(`${integration.slice(0, 40)} has no session that can be taken over`)
      // Without its keys a login would begin new sessions with everyone.
      await stored.of(id)
      const text = await tables.creds(id)
      return text === undefined ? stored.creds(id) : unwrapped(text)
    },
    async *keys() {
      yield* (await stored.of(id)).keys()
    },
    changedAt: async () => (await stored.of(id)).changedAt(),
    belongings: async () => ({
      name,
      token: token ?? undefined,
      settings: await tables.rowOf('Setting', id),
      webhook: await tables.rowOf('Webhook', id),
      proxy: await tables.rowOf('Proxy', id),
      contacts: () => tables.contacts(id),
    }),
  }
}

/** The login is JSON in a text that is JSON again. */
function unwrapped(text: string): string {
  try {
    const inner = JSON.parse(text) as unknown
    return typeof inner === 'string' ? inner : text
  } catch {
    throw new SourceError('creds: not valid JSON')
  }
}

async function keysInFolder(path: string): Promise<KeyLocation> {
  const folder = resolve(path)
  const isFolder = async (name: string) => (await stat(name).catch(() => undefined))?.isDirectory() ?? false
  if (!(await isFolder(folder))) throw new SourceError('--keys: expected a folder that can be read')
  return {
    async of(instanceId) {
      // The id comes from the database, and names a folder inside this one only.
      const inner = join(folder, instanceId)
      if (!/^[\w-]{1,100}$/.test(instanceId) || !(await isFolder(inner)))
        throw new SourceError('--keys has no folder for this instance')
      return { keys: () => keysIn(inner), changedAt: () => newestChange(inner) }
    },
    creds: async () => {
      throw new SourceError('creds: missing')
    },
    runningNow: async () => undefined,
    close: () => undefined,
  }
}

async function keysInRedis(url: string): Promise<KeyLocation> {
  const client = await connectRedis(url)
  const hashes = await hashesIn(client).catch((error: unknown) => {
    client.close()
    throw error
  })
  const hashOf = (instanceId: string): string => {
    const hash = hashes.get(instanceId)
    if (hash === undefined) throw new SourceError('Redis has no hash for this instance')
    return hash
  }
  return {
    async of(instanceId) {
      const hash = hashOf(instanceId)
      return { keys: () => keysInHash(client, hash), changedAt: async () => undefined }
    },
    creds: (instanceId) => sessionInHash(client, hashOf(instanceId), instanceId).creds(),
    runningNow: async () =>
      (await countOtherClients(client)) > 0 ? 'another client is connected to Redis' : undefined,
    close: client.close,
  }
}

/** By the id of the instance; the prefix is a setting of the other program. */
async function hashesIn(client: RedisClient): Promise<Map<string, string>> {
  const hashes = await listHashes(client, '*:instance:*')
  return new Map(hashes.map((hash) => [hash.slice(hash.lastIndexOf(':') + 1), hash]))
}
