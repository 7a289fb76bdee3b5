// Whether an API key can be used.
import type { z } from 'zod'
import type { ApiKey as ApiKeySchema } from '../../../src/contract/account.ts'

export type ApiKey = z.output<typeof ApiKeySchema>
export type KeyState = 'usable' | 'revoked' | 'expired'

/** A key that was replaced expires after the overlap. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now = Date.now(),
): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'usable'
}
