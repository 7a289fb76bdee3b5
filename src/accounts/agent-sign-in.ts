// Signing in of agents: a person allows an agent on the authorization page, and the agent exchanges the code that it gets for an ordinary key
// with walls (decision 0185).
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Deps } from '../context.ts'
import type { grantAgentSignIn, reviewAgentSignIn } from '../contract/agent-sign-in.ts'
import { AGENT_SCOPES, type AgentScope, hasWalls } from '../contract/wall-values.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { lockAccount } from '../store/locks.ts'
import * as rows from './agent-queries.ts'
import { checkNewKey, insertKey, isUsable, type NewKey, refuseUnknownInstances } from './api-keys.ts'
import { apiKeyId, type Caller } from './caller.ts'
import { findApiKey, revokeApiKey } from './key-queries.ts'
import { hashKey } from './rules.ts'
import {
  type AgentClient,
  clientIdFault,
  isLoopback,
  isVerifierOf,
  readAgentClient,
  redirectOf,
} from './rules-agent.ts'

const CODE_MS = 60_000
/** How long a code is remembered after that: who uses it again revokes its key. */
const REMEMBERED_MS = 60 * 60_000
const MAX_KEY_NAME = 64
/** The path of the resource that an agent signs in to. */
export const AGENT_PATH = '/mcp'

type RequestDeps = Pick<Deps, 'readClientDocument'>
type GrantDeps = RequestDeps & Pick<Deps, 'store' | 'clock'>
export type AgentRequest = z.output<typeof reviewAgentSignIn.body>
export type AgentGrant = z.output<typeof grantAgentSignIn.body>

interface CheckedRequest {
  client: AgentClient
  redirect: URL
}

/** Everything that the person has to know before allowing it. */
export async function reviewAgent(deps: RequestDeps, caller: Caller, request: AgentRequest) {
  const { client, redirect } = await checkRequest(deps, caller, request)
  const refused = { error: 'access_denied', error_description: 'The person did not allow it.' }
  return {
    agent: {
      name: client.name,
      clientHost: new URL(request.clientId).host,
      redirectHost: redirect.host,
      isLocal: isLoopback(redirect),
      scopes: requestedScopes(request.scope),
    },
    refusalUrl: withAnswer(redirect, request, caller.origin, refused),
  }
}

/** Where the browser takes the code. */
export async function grantAgent(deps: GrantDeps, caller: Caller, grant: AgentGrant): Promise<string> {
  const { client, redirect } = await checkRequest(deps, caller, grant)
  const { scopes, instances, chats, messagesPerDay, approval, approvalOnPhone, expiresAt } = grant
  const walls = { instances, chats, messagesPerDay, approval, approvalOnPhone }
  if (!hasWalls(walls))
    throw invalidField(
      'approval',
      'the key of an agent needs at least one wall: approval, instances, chats or messagesPerDay',
    )
  const name = `${new URL(grant.clientId).host}: ${client.name}`.slice(0, MAX_KEY_NAME)
  const permissions: NewKey = { name, scopes, ...walls, expiresAt }
  checkNewKey(deps, permissions, caller)
  const code = randomBytes(32).toString('base64url')
  const now = deps.clock()
  await deps.store.transaction(async (tx) => {
    if (!(await lockAccount(tx, caller.account.id))) throw new GatewayError('unauthorized')
    await refuseUnknownInstances(tx, caller.account.id, instances)
    await rows.deleteAgentCodes(tx, now - REMEMBERED_MS)
    await rows.insertAgentCode(tx, {
      hash: hashKey(code),
      account_id: caller.account.id,
      granted_by: apiKeyId(caller),
      client_id: grant.clientId,
      redirect_uri: grant.redirectUri,
      challenge: grant.codeChallenge,
      permissions: JSON.stringify(permissions),
      expires_at: now + CODE_MS,
    })
  })
  return withAnswer(redirect, grant, caller.origin, { code })
}

/** Until the redirect URI is known to be that of the agent, a fault is told to the person only. */
async function checkRequest(
  deps: RequestDeps,
  caller: Caller,
  { clientId, redirectUri, resourceUrl }: AgentRequest,
): Promise<CheckedRequest> {
  const fault = clientIdFault(clientId)
  if (fault !== undefined) throw invalidField('clientId', fault)
  const text = await deps.readClientDocument(clientId).catch((error: Error) => {
    throw invalidField('clientId', `the client metadata document could not be read: ${error.message}`)
  })
  const client = readAgentClient(clientId, text)
  if (typeof client === 'string') throw invalidField('clientId', client)
  const redirect = redirectOf(client, redirectUri)
  if (!redirect) throw invalidField('redirectUri', 'expected a URI of the client metadata document')
  if (!isResource(caller.origin, resourceUrl))
    throw invalidField('resourceUrl', 'expected the address of this gateway')
  return { client, redirect }
}

/** The agent has to mean this gateway. An agent that does not say so can still use its key here only. */
export const isResource = (origin: string, resource: string | undefined): boolean =>
  resource === undefined || [origin, `${origin}/`, origin + AGENT_PATH].includes(resource)

function requestedScopes(scope: string | undefined): AgentScope[] {
  const names = (scope ?? '').split(' ')
  const known = AGENT_SCOPES.filter((one) => names.includes(one))
  return known.length === 0 ? ['read', 'send'] : known
}

/** `iss` says which server answers, so that an agent with several cannot be given the code of another one (RFC 9207). */
function withAnswer(
  redirect: URL,
  { state }: Pick<AgentRequest, 'state'>,
  issuer: string,
  answer: Record<string, string>,
): string {
  const url = new URL(redirect)
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: issuer }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

export interface CodeExchange {
  code: string
  clientId: string
  redirectUri: string
  verifier: string
}

export interface ExchangedKey {
  key: string
  scopes: readonly string[]
  /** Null: it does not expire. */
  expiresInSeconds: number | null
}

/** Undefined: the code does not give a key. Any attempt uses it up, and a second one also revokes the key of the first. */
export async function exchangeCode(
  deps: Pick<Deps, 'store' | 'clock'>,
  exchange: CodeExchange,
): Promise<ExchangedKey | undefined> {
  const hash = hashKey(exchange.code)
  const known = await rows.findAgentCode(deps.store.db, hash)
  if (!known) return undefined
  return deps.store.transaction(async (tx) => {
    if (!(await lockAccount(tx, known.account_id))) return undefined
    const now = deps.clock()
    const row = await rows.useAgentCode(tx, hash, now)
    if (!row) {
      const used = await rows.findAgentCode(tx, hash)
      if (used && used.key_id !== null) await revokeApiKey(tx, used.key_id, now)
      return undefined
    }
    const person = await findApiKey(tx, row.account_id, row.granted_by)
    if (!person || !isUsable(person, now) || !mayRedeem(row, exchange, now)) return undefined
    const permissions = JSON.parse(row.permissions) as NewKey
    const { apiKey, key } = await insertKey(deps, tx, row.account_id, permissions, 'agent')
    await rows.noteKeyOfCode(tx, hash, apiKey.id)
    const expiresInSeconds =
      apiKey.expiresAt === null ? null : Math.max(1, Math.floor((Date.parse(apiKey.expiresAt) - now) / 1000))
    return { key, scopes: permissions.scopes, expiresInSeconds }
  })
}

const mayRedeem = (row: rows.AgentCodeRow, exchange: CodeExchange, now: number): boolean =>
  row.expires_at > now &&
  row.client_id === exchange.clientId &&
  row.redirect_uri === exchange.redirectUri &&
  isVerifierOf(exchange.verifier, row.challenge)
