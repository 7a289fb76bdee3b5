// The token of a one-time link: the instance, so that any node finds the one that serves it, and 256 random bits. Only its hash is kept.
import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const FORM = /^([1-9a-z][0-9a-z]{0,9})\.[\w-]{43}$/
/** How long a link can be used. */
export const PASSKEY_LINK_MS = 10 * 60_000

export const newLinkToken = (instanceId: number): string =>
  `${instanceId.toString(36)}.${randomBytes(SECRET_BYTES).toString('base64url')}`

/** Undefined for a text that is not a token. */
export function readLinkToken(token: string): { instanceId: number; tokenHash: string } | undefined {
  const instanceId = Number.parseInt(FORM.exec(token)?.[1] ?? '', 36)
  if (!Number.isSafeInteger(instanceId)) return undefined
  return { instanceId, tokenHash: createHash('sha256').update(token).digest('hex') }
}
