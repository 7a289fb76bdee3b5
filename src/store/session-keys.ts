// What a live session writes: keys sealed for its instance, and with them the received message that used them up.

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
  /** Must be the instance's fence still: a former owner writes nothing. */
  fence: number
  keys: SealedKey[]
  arrivals: SealedArrival[]
}

/** With whose it is and who writes it. */
export type OwnedKey = SealedKey & Pick<SessionWrite, 'instanceId' | 'fence'>

/** A key that several writes under one fence set is written once, as the last of them has it. */
export function lastOfEach(writes: SessionWrite[]): OwnedKey[] {
  const last = new Map<string, OwnedKey>()
  for (const { instanceId, fence, keys } of writes) {
    for (const key of keys)
      last.set([instanceId, fence, key.kind, key.name].join('\0'), { ...key, instanceId, fence })
  }
  return [...last.values()]
}
