// The credentials of one instance: encrypted with its own key, and written under a fencing token.

import { findArrival, readSessionKeys, sessionKeyCell } from '../instances/session-key-queries.ts'
import { isStoreError } from '../kernel/store-error.ts'
import { unlessRefused } from '../kernel/unless-refused.ts'
import { type Arrival, type Credentials, type KeyChange, NetworkError } from '../network/network.ts'
import type { Cell } from '../store/seal.ts'
import type { Store } from '../store/store.ts'
import { instanceScope, type Vault } from '../store/vault.ts'
import type { InstanceGuard } from './arrival-guard.ts'
import type { EarlyReader, EarlyReading } from './early-reader.ts'

const arrivalCell = (instanceId: number, name: string): Cell => ({
  table: 'inbox',
  column: 'sealed',
  row: `${instanceId}/${name}`,
})

/** A write was refused because another node serves the instance; for keys also because the connection is an older one. */
export type OnRefusedWrite = (write: 'claim' | 'keys' | 'state') => void

export interface CredentialsDeps {
  store: Store
  vault: Vault
  clock: () => number
  /** For the metrics. */
  onRefusedWrite?: OnRefusedWrite | undefined
}

/** Decrypts arrivals that an earlier connection stored. */
export async function arrivalOpener(
  { store, vault }: CredentialsDeps,
  instanceId: number,
): Promise<(name: string, sealed: Uint8Array) => Uint8Array> {
  const box = await vault.box(store.db, instanceScope(instanceId))
  return (name, sealed) => box.unseal(arrivalCell(instanceId, name), sealed)
}

type RefusalGuard = Pick<InstanceGuard, 'setAsideStored' | 'setAsideKey'>

export async function openCredentials(
  { store, vault, clock, onRefusedWrite }: CredentialsDeps,
  instanceId: number,
  fence: number,
  guard: RefusalGuard,
  early: EarlyReader,
): Promise<Credentials> {
  const box = await vault.box(store.db, instanceScope(instanceId))
  let lastAt = 0
  /** Unique, because arrivals are read back in the order of these times. */
  const nextMoment = () => (lastAt = Math.max(clock(), lastAt + 1))
  async function save(
    keys: KeyChange[],
    arrivals: Arrival[],
    reports: EarlyReading['reports'] = [],
  ): Promise<void> {
    const write = {
      instanceId,
      fence,
      keys: keys.map(({ kind, name, value }) => ({
        kind,
        name,
        sealed: value && box.seal(sessionKeyCell(instanceId, kind, name), value),
      })),
      arrivals: arrivals.map(({ name, payload }) => ({
        name,
        sealed: box.seal(arrivalCell(instanceId, name), payload),
        receivedAt: nextMoment(),
      })),
    }
    const saved = await (reports.length > 0
      ? store.saveReceived({ ...write, reports })
      : store.saveSession(write))
    if (saved) return
    onRefusedWrite?.('keys')
    throw new NetworkError('no_longer_owner', 'another process serves this instance')
  }
  return {
    async read(kind, names) {
      const rows = await readSessionKeys(store.db, instanceId, kind, names)
      return new Map(
        rows.map(({ name, sealed }) => [name, box.unseal(sessionKeyCell(instanceId, kind, name), sealed)]),
      )
    },
    write: createWrite(save, early, guard),
    async findArrival(name) {
      const row = await findArrival(store.db, instanceId, name)
      return row && box.unseal(arrivalCell(instanceId, name), row.sealed)
    },
  }
}

type Save = (keys: KeyChange[], arrivals: Arrival[], reports?: EarlyReading['reports']) => Promise<void>

/** Arrivals that can be read at once are stored as messages. */
const createWrite =
  (save: Save, early: EarlyReader, guard: RefusalGuard): Credentials['write'] =>
  async (keys, arrivals) => {
    const { reports, others, noteStored, noteRefused } = await early.read(arrivals)
    await unlessRefused(
      async () => {
        await save(keys, others, reports)
        noteStored()
      },
      () => {
        noteRefused()
        return saveEach(save, guard, keys, arrivals)
      },
    )
  }

/**
 * Finds out which part the store refuses, and sets it aside: otherwise the message that it belongs to would come back with every
 * connection. Arrivals first: a crash in between must not leave used keys without the message that they decrypted.
 */
async function saveEach(
  save: Save,
  guard: RefusalGuard,
  keys: KeyChange[],
  arrivals: Arrival[],
): Promise<void> {
  for (const arrival of arrivals)
    await save([], [arrival]).catch(
      onRefused(() => guard.setAsideStored(arrival.name, arrival.payload, 'refused_by_store')),
    )
  for (const key of keys) await save([key], []).catch(onRefused(() => guard.setAsideKey(key)))
}

const onRefused =
  (setAside: () => Promise<void>) =>
  (error: unknown): Promise<void> => {
    if (!isStoreError(error, 'refused')) throw error
    return setAside()
  }
