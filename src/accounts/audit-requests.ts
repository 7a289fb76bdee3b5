// Notes each request of a key that belongs into the audit list, when it is answered.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasWalls } from '../contract/wall-values.ts'
import type { Credential } from './caller.ts'
import { auditedName, isAudited } from './rules-audit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused; undefined: it was not, or by a dialect. */
    refusedAs: string | undefined
  }
}

export interface NotedCall {
  account_id: number
  key_id: number
  at: number
  action: string
  instance: string | null
  chat: string | null
  subject: string | null
  status: number
  reason: string | null
}

export type NoteCall = (call: NotedCall) => void

export function addAudit(app: FastifyInstance, clock: () => number, note: NoteCall): void {
  app.decorateRequest('refusedAs', undefined)
  app.addHook('onResponse', async (request, reply) => {
    const call = calledBy(request, reply, clock)
    if (call) note(call)
  })
}

function calledBy(request: FastifyRequest, reply: FastifyReply, clock: () => number): NotedCall | undefined {
  const { caller, method } = request
  const status = reply.statusCode
  if (!caller || !isAudited({ method, status, isWalled: hasWalls(caller.walls) })) return undefined
  return {
    account_id: caller.account.id,
    key_id: auditedId(caller.credential),
    at: clock(),
    action: `${method} ${(request.routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}')}`,
    ...targetOf(request),
    status,
    reason: request.refusedAs ?? null,
  }
}

/** Negative for what is not a key of the account: the action then says which dialect the call was made in. */
const auditedId = ({ kind, id }: Credential): number => (kind === 'api_key' ? id : -id)

/** The names in a request, which may not have been parsed. A body that is a stream has none. */
function targetOf({ params, query, body }: FastifyRequest) {
  const given = (part: unknown) => (typeof part === 'object' && part !== null ? part : {})
  const fields = { ...given(params), ...given(query), ...given(body) } as Record<string, unknown>
  const path = given(params) as Record<string, unknown>
  return {
    instance: auditedName(fields.instanceName ?? fields.instance),
    chat: auditedName(fields.chat ?? fields.groupJid ?? fields.number ?? fields.remoteJid ?? fields.phone),
    subject: auditedName(path.messageId ?? path.deliveryId ?? path.id ?? path.callId ?? fields.reference),
  }
}
