// Begins a session with a device from the keys that it has published.
import { isNumber } from './bytes.ts'
import { verifySignature } from './curve.ts'
import { UntrustedIdentityKeyError } from './errors.ts'
import { beginOutgoing } from './key-agreement.ts'
import type { ProtocolAddress } from './protocol-address.ts'
import { SessionRecord } from './session-record.ts'
import type { SignalStorage } from './storage.ts'
import { checkPublicKey } from './x25519.ts'

export interface PublishedKeys {
  registrationId: number
  identityKey: Uint8Array
  signedPreKey: { keyId: number; publicKey: Uint8Array; signature: Uint8Array }
  preKey?: { keyId: number; publicKey: Uint8Array }
}

export class SessionBuilder {
  readonly #storage: SignalStorage
  readonly #address: ProtocolAddress

  constructor(storage: SignalStorage, address: ProtocolAddress) {
    this.#storage = storage
    this.#address = address
  }

  async initOutgoing({ registrationId, identityKey, signedPreKey, preKey }: PublishedKeys): Promise<void> {
    const address = this.#address.toString()
    if (!(await this.#storage.isTrustedIdentity(this.#address.id, identityKey)))
      throw new UntrustedIdentityKeyError(address)
    for (const number of [registrationId, signedPreKey.keyId, preKey?.keyId ?? 0]) checkNumber(number)
    // The signature and the agreement check the other two keys.
    checkPublicKey(signedPreKey.publicKey)
    verifySignature(identityKey, signedPreKey.publicKey, signedPreKey.signature)
    const record = (await this.#storage.loadSession(address)) ?? new SessionRecord()
    const now = Date.now()
    const session = beginOutgoing(
      {
        ownIdentity: await this.#storage.getOurIdentity(),
        identityKey: Buffer.from(identityKey),
        registrationId,
        signedPreKey: { keyId: signedPreKey.keyId, publicKey: Buffer.from(signedPreKey.publicKey) },
        preKey: preKey && { keyId: preKey.keyId, publicKey: Buffer.from(preKey.publicKey) },
      },
      now,
    )
    await this.#storage.storeSession(address, record.open(session, now))
  }
}

function checkNumber(value: number): void {
  if (!isNumber(value)) throw new Error('Invalid number in published keys')
}
