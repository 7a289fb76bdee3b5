// The one-time keys of an instance after its database went back to an earlier time: the store has forgotten them (decision 0114), and
// this connection uploads new ones.
import { randomInt } from 'node:crypto'
import { INITIAL_PREKEY_COUNT } from 'baileys'
import type { AuthState } from './auth-state.ts'

/** In ordinary use contacts take one key at a time, and never all of the newest ones: the network asks for more before that. */
const NEWEST = 30
/** Numbers have three bytes. The rest is enough for a million more keys. */
const MAX_START = 0xf0_00_00

interface KeySocket {
  ws: { prependListener(event: 'CB:success', listener: () => void): unknown }
  uploadPreKeys(count: number): Promise<void>
}

type Upload = (socket: KeySocket, log: { debug(text: string): void }) => void

/** Undefined: the keys are there. Otherwise the returned function uploads new ones with the login, as a new device does. */
export async function replaceOneTimeKeys(
  auth: Pick<AuthState, 'creds' | 'keys'>,
): Promise<Upload | undefined> {
  if (!(await areForgotten(auth))) return undefined
  // A random number: contacts may have keys that were uploaded under the next numbers in the time that was lost.
  auth.creds.nextPreKeyId = randomInt(2, MAX_START)
  auth.creds.firstUnuploadedPreKeyId = auth.creds.nextPreKeyId
  return (socket, log) =>
    // The library finds the upload in progress when it checks its keys.
    void socket.ws.prependListener('CB:success', () => {
      socket
        .uploadPreKeys(INITIAL_PREKEY_COUNT)
        .catch((error: unknown) => log.debug(`driver: could not upload one-time keys: ${String(error)}`))
    })
}

async function areForgotten({ creds, keys }: Pick<AuthState, 'creds' | 'keys'>): Promise<boolean> {
  if (!creds.me || creds.nextPreKeyId <= 1) return false
  const oldest = Math.max(1, creds.nextPreKeyId - NEWEST)
  const names = Array.from({ length: creds.nextPreKeyId - oldest }, (_, index) => String(oldest + index))
  return Object.keys(await keys.get('pre-key', names)).length === 0
}
