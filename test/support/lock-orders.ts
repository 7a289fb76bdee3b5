// Runs every pair of writing operations of the store at the same time and counts the deadlocks (decision 0078).
import assert from 'node:assert/strict'
import type { Deps } from '../../src/context.ts'
import { GatewayError } from '../../src/errors.ts'
import { createSendOutcomes } from '../../src/sending/outcomes.ts'
import { openPostgresStore } from '../../src/store/engines/postgres/open.ts'
import { openSqliteStore } from '../../src/store/engines/sqlite/open.ts'
import { openVault } from '../../src/store/vault.ts'
import { withDatabase } from './database.ts'
import type { Engine, StoreLocation } from './engines.ts'
import { createScriptedSessions } from './scripted-sessions.ts'
import { ENDING_OPERATIONS, WRITE_OPERATIONS, type WriteOperation } from './write-operations.ts'
import { makeWorld, type World } from './write-world.ts'

/** Of each operation of a group, at the same time: every operation also meets itself. */
const COPIES = 2
/** More at once than the store has connections, so that some of them wait in the midst of others. */
const GROUP_SIZE = 8

/** Groups in which every two of the names meet at least once, as few as a greedy choice finds. */
function groupsOf(names: string[]): string[][] {
  const apart = new Set(
    names.flatMap((one, index) => names.slice(index + 1).map((other) => `${one}|${other}`)),
  )
  const between = (one: string, other: string) =>
    [`${one}|${other}`, `${other}|${one}`].filter((pair) => apart.has(pair))
  const groups: string[][] = []
  for (let [pair] = apart; pair !== undefined; [pair] = apart) {
    const group = pair.split('|')
    const gain = (name: string) => group.flatMap((member) => between(name, member)).length
    while (group.length < GROUP_SIZE) {
      const [best] = names.filter((name) => !group.includes(name)).sort((a, b) => gain(b) - gain(a))
      if (best === undefined) break
      group.push(best)
    }
    for (const one of group)
      for (const other of group) for (const met of between(one, other)) apart.delete(met)
    groups.push(group)
  }
  return groups
}

/** One that ends what the others are about, with every other one, a group at a time. */
function endingGroups(names: string[], endings: string[]): string[][] {
  const size = GROUP_SIZE - 1
  const chunks = Array.from({ length: Math.ceil(names.length / size) }, (_, index) =>
    names.slice(index * size, (index + 1) * size),
  )
  return [endings, ...endings.flatMap((ending) => chunks.map((chunk) => chunk.concat(ending)))]
}

const OPERATIONS: Record<string, WriteOperation> = { ...WRITE_OPERATIONS, ...ENDING_OPERATIONS }

/** What reached the caller and was not a decision of a rule. */
async function faultsOf(group: string[], world: World): Promise<string[]> {
  const calls: { name: string; call: () => Promise<unknown> }[] = []
  for (let copy = 0; copy < COPIES; copy += 1)
    for (const name of group) calls.push({ name, call: await (OPERATIONS[name] as WriteOperation)(world) })
  const results = await Promise.allSettled(calls.map(({ call }) => call()))
  return results.flatMap((result, index) =>
    result.status === 'fulfilled' || result.reason instanceof GatewayError
      ? []
      : [`${calls[index]?.name}: ${String(result.reason)} among ${group.join(', ')}`],
  )
}

async function openDeps(storeLocation: StoreLocation): Promise<Deps> {
  const store =
    storeLocation.databaseUrl === undefined
      ? await openSqliteStore(storeLocation.directory)
      : await openPostgresStore(storeLocation.databaseUrl)
  return {
    store,
    vault: await openVault(store.db, new Uint8Array(32)),
    sessions: createScriptedSessions(store),
    wakeSending: () => undefined,
    outcomes: createSendOutcomes({ store }),
    clock: Date.now,
    checkUrl: (text) => ({ href: text }),
    readReceiver: async () => '',
    readClientDocument: async () => '',
    files: { open: async () => null, forget: async () => undefined },
    sentMedia: () => null,
    uploads: {
      write: async () => ({ sizeBytes: 1, sha256: '' }),
      read: () => assert.fail('nothing is read here'),
      remove: async () => undefined,
    },
    readPicture: () => Promise.reject(new Error('no picture is read here')),
    postEvent: async () => assert.fail('nothing is posted here'),
    wakeDeliveries: () => undefined,
    hold: { heldBy: () => null, resume: async () => false },
  }
}

/** As the server counted them, when the last of our connections has handed in its count. */
async function deadlocks(storeLocation: StoreLocation): Promise<number> {
  if (storeLocation.databaseUrl === undefined) return 0
  return withDatabase(storeLocation, async (database) => {
    const others =
      'select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    while ((await database.rows<{ count: number }>(others))[0]?.count !== 0);
    const [row] = await database.rows<{ deadlocks: number }>(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    )
    return row?.deadlocks ?? 0
  })
}

/**
 * Fails where two operations deadlock. Each round turns the list of operations further, so that other groups of them meet, and every
 * round contains all pairs.
 */
export async function checkLockOrders(engine: Engine, rounds: number[]): Promise<void> {
  const storeLocation = await engine.createLocation()
  try {
    // The database may have served another test before.
    const before = await deadlocks(storeLocation)
    const deps = await openDeps(storeLocation)
    const faults: string[] = []
    const names = Object.keys(WRITE_OPERATIONS)
    for (const round of rounds) {
      const world = await makeWorld(deps)
      const turned = [...names.slice(round * GROUP_SIZE), ...names.slice(0, round * GROUP_SIZE)]
      for (const group of groupsOf(turned)) faults.push(...(await faultsOf(group, world)))
    }
    for (const group of endingGroups(names, Object.keys(ENDING_OPERATIONS)))
      faults.push(...(await faultsOf(group, await makeWorld(deps))))
    await deps.store.close()
    assert.deepEqual(faults, [])
    assert.equal((await deadlocks(storeLocation)) - before, 0, 'deadlocks that a second try has hidden')
  } finally {
    await storeLocation.dispose()
  }
}
