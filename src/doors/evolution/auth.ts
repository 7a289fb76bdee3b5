// The header `apikey`: a key of the account, or the token of one instance.
import type { FastifyRequest } from 'fastify'
import { type Auth, cacheCallers } from '../../accounts/authenticate.ts'
import type { Caller } from '../../accounts/caller.ts'
import { findTokenHolder, type TokenHolder } from '../../instances/named-instances.ts'
import { originOf } from '../../kernel/http/origin.ts'
import type { EvolutionParts } from './call.ts'

export interface EvolutionCaller extends Caller {
  /** Set for the token of an instance. */
  instanceId?: number
}

export function createEvolutionAuth(
  auth: Auth,
  parts: Pick<EvolutionParts, 'store' | 'clock'>,
  publicUrl: string | undefined,
): (request: FastifyRequest) => Promise<EvolutionCaller> {
  const byToken = cacheCallers<TokenHolder>((token) => findTokenHolder(parts, token), parts.clock)
  return async (request) => {
    const { apikey } = request.headers
    const key = typeof apikey === 'string' && apikey !== '' ? apikey : undefined
    const holder = await auth.callerOfKey(request, key, byToken)
    if (!('instanceId' in holder)) auth.noteUse(holder)
    return { ...holder, origin: originOf(request, publicUrl) }
  }
}
