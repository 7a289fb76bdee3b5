// What a live session writes: keys sealed for its instance, and with them the received messages that those keys decrypted.

export interface SealedKey {
  kind: string
  name: string
  /** Null removes the key. */
  sealed: Uint8Array | null
}

export interface SealedArrival {
  name: string
  sealed: Uint8Array
  receivedAt: number
}

export interface SessionWrite {
  instanceId: number
  /** The instance's fencing token. A session with an older token writes nothing. */
  fence: number
  keys: SealedKey[]
  arrivals: SealedArrival[]
}

/** A key with its instance and the fencing token that it is written under. */
export type OwnedKey = SealedKey & Pick<SessionWrite, 'instanceId' | 'fence'>

/** Of several writes to one key under one token, only the last. */
export function lastOfEach(writes: SessionWrite[]): OwnedKey[] {
  const last = new Map<string, OwnedKey>()
  for (const { instanceId, fence, keys } of writes) {
    for (const key of keys)
      last.set([instanceId, fence, key.kind, key.name].join('\0'), { ...key, instanceId, fence })
  }
  return [...last.values()]
}
