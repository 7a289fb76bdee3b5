// The credentials of one instance: encrypted with its own key, and written under a fencing token.
import { type Credentials, NetworkError } from '../network/network.ts'
import { findArrival, readSessionKeys } from '../store/queries/session-keys.ts'
import type { Place } from '../store/seal.ts'
import type { Store } from '../store/store.ts'
import { instanceScope, type Vault } from '../store/vault.ts'

const keyPlace = (instanceId: number, kind: string, name: string): Place => ({
  table: 'session_keys',
  column: 'sealed',
  row: `${instanceId}/${kind}/${name}`,
})
const arrivalPlace = (instanceId: number, name: string): Place => ({
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
  return (name, sealed) => box.unseal(arrivalPlace(instanceId, name), sealed)
}

export async function openCredentials(
  { store, vault, clock, onRefusedWrite }: CredentialsDeps,
  instanceId: number,
  fence: number,
): Promise<Credentials> {
  const box = await vault.box(store.db, instanceScope(instanceId))
  let lastAt = 0
  /** Unique, because arrivals are read back in the order of these times. */
  const nextMoment = () => (lastAt = Math.max(clock(), lastAt + 1))
  return {
    async read(kind, names) {
      const rows = await readSessionKeys(store.db, instanceId, kind, names)
      return new Map(
        rows.map(({ name, sealed }) => [name, box.unseal(keyPlace(instanceId, kind, name), sealed)]),
      )
    },
    async write(keys, arrivals) {
      const saved = await store.saveSession({
        instanceId,
        fence,
        keys: keys.map(({ kind, name, value }) => ({
          kind,
          name,
          sealed: value && box.seal(keyPlace(instanceId, kind, name), value),
        })),
        arrivals: arrivals.map(({ name, payload }) => ({
          name,
          sealed: box.seal(arrivalPlace(instanceId, name), payload),
          receivedAt: nextMoment(),
        })),
      })
      if (saved) return
      onRefusedWrite?.('keys')
      throw new NetworkError('no_longer_owner', 'another process serves this instance')
    },
    async findArrival(name) {
      const row = await findArrival(store.db, instanceId, name)
      return row && box.unseal(arrivalPlace(instanceId, name), row.sealed)
    },
  }
}
