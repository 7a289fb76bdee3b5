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
