// The passkey step of linking: with a key of the account, or with a one-time link.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { createRateLimit } from '../kernel/http/rate-limit.ts'
import { iso } from '../kernel/time.ts'
import type { Handlers, RequestContext } from '../request-handler.ts'
import { shownOrNull } from './current-passkey.ts'
import { requireInstance, toReference } from './instances.ts'
import * as passkeys from './passkey.ts'

/** A challenge is for one person, and must not stay in a cache. */
const noStore = ({ setHeader }: RequestContext): void => setHeader('Cache-Control', 'no-store')

export const passkeyHandlers = (deps: Pick<Deps, 'store' | 'sessions'>) => {
  const idOf = async (accountId: number, apiName: string): Promise<number> =>
    (await requireInstance(deps, accountId, apiName)).id
  return {
    async getPasskey(context, { query }) {
      noStore(context)
      const { row, step } = await passkeys.readPasskey(deps, context.caller, query.instanceName)
      return { instance: toReference(row), passkey: passkeys.passkeyDemand(step) }
    },
    async answerPasskey({ caller }, { query, body }) {
      const id = await idOf(caller.account.id, query.instanceName)
      return { passkey: shownOrNull(await passkeys.answerPasskey(deps, id, body.assertion)) }
    },
    async confirmPasskey({ caller }, { query, body }) {
      const id = await idOf(caller.account.id, query.instanceName)
      return { passkey: shownOrNull(await passkeys.confirmPasskey(deps, id, body.code)) }
    },
    async cancelPasskey({ caller }, { query }) {
      await passkeys.cancelPasskey(deps, await idOf(caller.account.id, query.instanceName))
      return {}
    },
    async createPasskeyLink(context, { query }) {
      noStore(context)
      return { link: await passkeys.createPasskeyLink(deps, context.caller, query.instanceName) }
    },
  } satisfies Partial<Handlers>
}

/** By client address. A page polls with the right token; only wrong ones are counted. */
const WRONG_TOKENS_PER_MINUTE = 20
/** By link: a page polls twice in five seconds. */
const USES_PER_SECOND = 5
const USES_BURST = 20

type Context = RequestContext & { request: FastifyRequest }

export function passkeyLinkHandlers(deps: Pick<Deps, 'store' | 'sessions' | 'clock' | 'hold'>) {
  const wrongTokens = createRateLimit(WRONG_TOKENS_PER_MINUTE / 60, WRONG_TOKENS_PER_MINUTE)
  const uses = createRateLimit(USES_PER_SECOND, USES_BURST)

  function take(limit: typeof uses, bucket: EntryName): void {
    const { allowed, retryAfterSeconds } = limit.take(bucket, deps.clock())
    if (!allowed) throw new GatewayError('rate_limited', {}, { retryAfterSeconds })
  }
  async function follow(context: Context, token: string): Promise<passkeys.FollowedLink> {
    noStore(context)
    const followed = await passkeys.followPasskeyLink(deps, token).catch((error: unknown) => {
      const isWrong = error instanceof GatewayError && error.reason === 'passkey_link_not_found'
      if (isWrong) take(wrongTokens, entryName('address', context.request.clientAddress))
      throw error
    })
    take(uses, entryName('instance', followed.row.id))
    return followed
  }
  return {
    async readPasskeyLink(context, { body }) {
      const { row, linked } = await follow(context, body.token)
      return {
        displayName: row.display_name,
        passkey: passkeys.passkeyDemand(linked.step),
        result: linked.result,
        expiresAt: iso(linked.expiresAt),
      }
    },
    async answerPasskeyByLink(context, { body }) {
      const { row } = await follow(context, body.token)
      return { passkey: shownOrNull(await passkeys.answerPasskey(deps, row.id, body.assertion)) }
    },
    async confirmPasskeyByLink(context, { body }) {
      const { row } = await follow(context, body.token)
      return { passkey: shownOrNull(await passkeys.confirmPasskey(deps, row.id, body.code)) }
    },
    async cancelPasskeyByLink(context, { body }) {
      const { row } = await follow(context, body.token)
      await passkeys.cancelPasskey(deps, row.id)
      return {}
    },
  } satisfies Partial<Handlers>
}
