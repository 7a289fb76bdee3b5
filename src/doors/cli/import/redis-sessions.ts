// Sessions in hashes of Redis: a field for the login, and one `{kind}-{name}` for each key.
import { readKeyName } from './key-names.ts'
import type { RedisClient, RedisReply } from './redis-client.ts'
import {
  type ForeignKeyText,
  type FoundSession,
  MAX_CREDS_BYTES,
  MAX_KEY_BYTES,
  SourceError,
  type UnreadKey,
} from './session-source.ts'

/** Fields per page; Redis gives about as many. */
const PAGE = '200'

export const sessionInHash = (client: RedisClient, hash: string, label: string): FoundSession => ({
  label,
  async creds() {
    const length = await client.command('HSTRLEN', hash, 'creds')
    if (Number(length) > MAX_CREDS_BYTES) throw new SourceError('creds: too large')
    const text = await client.command('HGET', hash, 'creds')
    if (typeof text !== 'string') throw new SourceError('creds: missing')
    return text
  },
  keys: () => keysInHash(client, hash),
  // Redis knows when a hash was last used, but reading it counts as well.
  changedAt: async () => undefined,
})

export async function* keysInHash(
  client: RedisClient,
  hash: string,
): AsyncIterable<ForeignKeyText | UnreadKey> {
  for await (const [field, text] of pairsOf(client, hash)) {
    if (field === 'creds' || field === 'metadata') continue
    const found = readKeyName(field)
    if (!found) yield { unread: 'other fields', why: 'not a key of a session' }
    else if (text.length > MAX_KEY_BYTES) yield { unread: found.kind, why: 'too large' }
    else yield { ...found, text }
  }
}

async function* pairsOf(client: RedisClient, hash: string): AsyncIterable<[string, string]> {
  for (let cursor = '0'; ; ) {
    const [next, fields] = pageOf(await client.command('HSCAN', hash, cursor, 'COUNT', PAGE))
    for (let index = 0; index + 1 < fields.length; index += 2)
      yield [fields[index] as string, fields[index + 1] as string]
    if (next === '0') return
    cursor = next
  }
}

/** The names of all hashes that fit the pattern. A scan may give a name twice. */
export async function listHashes(client: RedisClient, pattern: string): Promise<string[]> {
  const names = new Set<string>()
  for (let cursor = '0'; ; ) {
    const [next, page] = pageOf(
      await client.command('SCAN', cursor, 'MATCH', pattern, 'COUNT', '1000', 'TYPE', 'hash'),
    )
    for (const name of page) names.add(name)
    if (next === '0') return [...names].toSorted()
    cursor = next
  }
}

function pageOf(reply: RedisReply): [cursor: string, items: string[]] {
  const [cursor, items] = Array.isArray(reply) ? reply : []
  if (typeof cursor === 'string' && Array.isArray(items) && items.every((item) => typeof item === 'string'))
    return [cursor, items]
  throw new SourceError('Redis has given an unknown answer')
}

/** Other connections to the same database: the program that the sessions belong to probably runs. */
export async function countOtherClients(client: RedisClient): Promise<number> {
  try {
    const own = `id=${Number(await client.command('CLIENT', 'ID'))} `
    const list = String(await client.command('CLIENT', 'LIST', 'TYPE', 'normal'))
      .trim()
      .split('\n')
    const database = list.find((line) => line.startsWith(own))?.match(/ db=(\d+) /)?.[1]
    return list.filter((line) => !line.startsWith(own) && line.includes(` db=${database} `)).length
  } catch (error) {
    // A role that may not list the others.
    if (error instanceof SourceError && error.message.includes('NOPERM')) return 0
    throw error
  }
}
