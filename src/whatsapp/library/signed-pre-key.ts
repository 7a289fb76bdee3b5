// Renews the signed pre-key every 27 days, as the official client does. A key that stays for the life of a login would let its thief
// read every first message that was ever sent to it.
//
// The library can rotate the key as well, but announces it before it is stored: after a crash in between, contacts would use a key that
// is lost. Here the new key is stored first, the earlier ones are kept for messages under way, and an announcement without an answer is
// repeated with the same key.
import {
  type BinaryNode,
  type SignalAuthState,
  type SignalDataSet,
  type SignalRepositoryWithLIDStore,
  type SignedKeyPair,
  signedKeyPair,
  xmppSignedPreKey,
} from 'baileys'
import { PreKeyWhisperMessage } from 'libsignal'
import type { AuthState } from './auth-state.ts'

/** Keys before the current one, by which first messages can still be decrypted: for 81 days. The network keeps messages for 30. */
const KEPT = 3
const KIND = 'signed-pre-key'
const NETWORK = 's.whatsapp.net'
const ROTATION_MS = 27 * 24 * 60 * 60_000
/** How often a connection checks the age of the key, and repeats a rotation that failed. */
const CHECK_MS = 60 * 60_000

type Keys = Pick<SignalAuthState['keys'], 'get' | 'set'>

export interface SignedPreKeyParts {
  auth: Pick<AuthState, 'creds' | 'keys' | 'saveCreds'>
  query(node: BinaryNode): Promise<unknown>
  clock(): number
  rotationMs?: number | undefined
}

/** Replaces the key if it is old enough. Rejects if the network did not accept the new one; the next call continues. */
export async function rotateWhenDue({ auth, query, clock, rotationMs }: SignedPreKeyParts): Promise<void> {
  const { creds, keys, saveCreds } = auth
  const current = creds.signedPreKey
  const now = clock()
  // Earlier versions, and the library at a pairing, note no time: the age counts from the first connection.
  if (current.timestampS === undefined) return save(current)
  // A time in the future comes from a clock that was wrong.
  if (Math.abs(now - current.timestampS * 1000) < (rotationMs ?? ROTATION_MS)) return
  const id = current.keyId + 1
  const next = (await readKey(keys, id)) ?? signedKeyPair(creds.signedIdentityKey, id)
  await writeKeys(keys, { [current.keyId]: current, [id]: next })
  await query({
    tag: 'iq',
    attrs: { to: NETWORK, type: 'set', xmlns: 'encrypt' },
    content: [{ tag: 'rotate', attrs: {}, content: [xmppSignedPreKey(next)] }],
  })
  await save(next)
  if (id > KEPT + 1) await writeKeys(keys, { [id - KEPT - 1]: null })

  async function save(key: SignedKeyPair): Promise<void> {
    Object.assign(creds, { signedPreKey: { ...key, timestampS: Math.round(now / 1000) } })
    await saveCreds()
  }
}

/** Checks at once and then regularly. Returns a function that ends this. */
export function keepRotating(parts: SignedPreKeyParts, onFailure: (error: unknown) => void): () => void {
  let isRunning = false
  const check = (): void => {
    if (isRunning) return
    isRunning = true
    void rotateWhenDue(parts)
      .catch(onFailure)
      .finally(() => (isRunning = false))
  }
  check()
  const timer = setInterval(check, Math.min(parts.rotationMs ?? CHECK_MS, CHECK_MS)).unref()
  return () => clearInterval(timer)
}

/**
 * Decrypts first messages with the signed pre-key that they name. The library always uses the current one, so for another key a
 * repository is made whose current one it is.
 */
export function withNamedSignedPreKeys(
  inner: SignalRepositoryWithLIDStore,
  auth: Readonly<SignalAuthState>,
  make: (creds: SignalAuthState['creds']) => SignalRepositoryWithLIDStore,
): SignalRepositoryWithLIDStore {
  async function namedKey(ciphertext: Uint8Array): Promise<SignedKeyPair | undefined> {
    const id = idIn(ciphertext)
    const { keyId } = auth.creds.signedPreKey
    // Other numbers name no key that is kept, and are not looked up.
    if (id === undefined || id === keyId || id < keyId - KEPT || id > keyId + 1) return undefined
    return readKey(auth.keys, id)
  }
  return {
    ...inner,
    async decryptMessage(options) {
      const signedPreKey = options.type === 'pkmsg' ? await namedKey(options.ciphertext) : undefined
      if (!signedPreKey) return inner.decryptMessage(options)
      const other = make({ ...auth.creds, signedPreKey })
      return other.decryptMessage(options).finally(() => other.close?.())
    },
  }
}

function idIn(ciphertext: Uint8Array): number | undefined {
  try {
    return PreKeyWhisperMessage.decode(ciphertext.subarray(1)).signedPreKeyId
  } catch {
    // The library refuses the message with the right error.
    return undefined
  }
}

/** The library does not know this kind of key, and passes it on. */
async function readKey(keys: Keys, id: number): Promise<SignedKeyPair | undefined> {
  const found = (await keys.get(KIND as never, [String(id)])) as Record<string, SignedKeyPair>
  return found[String(id)]
}

const writeKeys = async (keys: Keys, values: Record<string, SignedKeyPair | null>): Promise<void> =>
  keys.set({ [KIND]: values } as unknown as SignalDataSet)
