// The public keys of a device that others need to start a session with it.

export interface PreKey {
  id: number
  value: Uint8Array
}

export interface KeyBundle {
  registrationId: number
  identityKey: Uint8Array
  signedPreKey: { id: number; value: Uint8Array; signature: Uint8Array }
  /** Used for one session only. A device without pre-keys left can still be reached. */
  preKey: PreKey | undefined
  signedIdentity: Uint8Array | undefined
}
