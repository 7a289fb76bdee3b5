// The route that the API inbox of a bridge posts to: the last part of its path is a secret, and the post is signed if the inbox signs.

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findAccount, findPlan } from '../../accounts/account-queries.ts'
import { type Auth, cacheCallers } from '../../accounts/authenticate.ts'
import type { Caller, KeyHolder } from '../../accounts/caller.ts'
import type { Deps } from '../../context.ts'
import { findFault } from '../../contract/body-guard.ts'
import type { Route } from '../../contract/route.ts'
import { NO_WALLS } from '../../contract/wall-values.ts'
import { GatewayError } from '../../errors.ts'
import { type ArrivingBodies, countArriving } from '../../kernel/http/arriving-bodies.ts'
import { originOf } from '../../kernel/http/origin.ts'
import { openOptions } from '../../webhooks/secrets.ts'
import type { AddDialect } from '../api/server.ts'
import { createInward, type HookContext, type InwardParts } from './inward.ts'
import { type ChatwootOptions, HOOK_PATH } from './options.ts'
import { isSame, isSigned } from './posted.ts'
import { findBridge } from './queries.ts'

/** A text of 150,000 characters is in a post up to four times. */
const BODY_BYTES = 4 * 1024 * 1024
const NAME = /^(\d{1,15})-([\w-]{20,100})$/

export interface HookParts extends InwardParts, Pick<Deps, 'vault'> {
  auth: Auth
  bodies: ArrivingBodies
  /** The send route: a post is admitted as it is, by load, subscription and hold. */
  sendRoute: Route
  publicUrl: string | undefined
  /** The best known time, for the age of signatures. */
  forSignatures(): number
}

type BridgeHolder = KeyHolder & Pick<HookContext, 'bridge' | 'apiName'>

export const chatwootHooks =
  (parts: HookParts): AddDialect =>
  (app, { admission }) => {
    const handle = createInward(parts)
    const byName = cacheCallers<BridgeHolder>((name) => findHolder(parts, name), parts.clock)
    const holderOf = async (request: FastifyRequest): Promise<BridgeHolder & Caller> => {
      const { name } = request.params as { name: string }
      const holder = await parts.auth.callerOfKey(request, name, byName)
      if (!('bridge' in holder)) throw new GatewayError('unauthorized')
      return { ...(holder as BridgeHolder), origin: originOf(request, parts.publicUrl) }
    }
    void app.register(async (scope: FastifyInstance) => {
      // The signature is that of the bytes.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, bytes, done) =>
        done(null, bytes),
      )
      scope.post(`${HOOK_PATH}/:name`, {
        bodyLimit: BODY_BYTES,
        onRequest: (request: FastifyRequest, reply: FastifyReply) =>
          admission.admit(parts.sendRoute, request, reply, () => holderOf(request)),
        preParsing: async (request: FastifyRequest, reply: FastifyReply, payload: Readable) =>
          countArriving(parts.bodies, request, reply, payload),
        async handler(request: FastifyRequest, reply: FastifyReply) {
          const holder = request.caller as BridgeHolder & Caller
          const body = readBody(parts, holder, request)
          const answer = await handle({ ...holder, caller: holder }, body)
          return reply.code(answer.status).send({ success: answer.status === 200, done: answer.done })
        },
      })
    })
  }

async function findHolder(
  { store, vault }: Pick<HookParts, 'store' | 'vault'>,
  name: string,
): Promise<BridgeHolder | undefined> {
  const [, idText, token = ''] = NAME.exec(name) ?? []
  if (idText === undefined) return undefined
  const instanceId = Number(idText)
  const row = await findBridge(store.db, instanceId)
  if (!row || row.enabled !== 1 || row.api_name === null) return undefined
  const { id: webhookId, account_id: accountId, url } = row
  const opened = await openOptions(vault, store.db, { accountId, webhookId }, row.sealed_options)
  const options = opened as ChatwootOptions
  if (!isSame(token, options.hookToken)) return undefined
  const account = await findAccount(store.db, accountId)
  const plan = account && (await findPlan(store.db, account.plan_id))
  if (!plan) return undefined
  const bridge = { webhookId, accountId, instanceId, url, options }
  const credential = { kind: 'chatwoot_hook', id: webhookId } as const
  return { credential, scopes: [], walls: NO_WALLS, account, plan, bridge, apiName: row.api_name }
}

function readBody(
  { forSignatures }: Pick<HookParts, 'forSignatures'>,
  { bridge }: Pick<BridgeHolder, 'bridge'>,
  { headers, body }: FastifyRequest,
): unknown {
  const bytes = (body ?? Buffer.alloc(0)) as Buffer
  const { hookSecret } = bridge.options
  const signed = {
    timestamp: textOf(headers['x-chatwoot-timestamp']),
    signature: textOf(headers['x-chatwoot-signature']),
    body: bytes,
  }
  if (hookSecret !== null && !isSigned(signed, hookSecret, forSignatures()))
    throw new GatewayError('unauthorized', {}, { message: 'The signature of the post is missing or wrong.' })
  const value = parsed(bytes)
  const fault = findFault(value)
  if (fault) throw new GatewayError('invalid_request', { details: [fault] })
  return value
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch (cause) {
    throw new GatewayError('invalid_request', {}, { message: 'The body is not JSON.', cause })
  }
}
