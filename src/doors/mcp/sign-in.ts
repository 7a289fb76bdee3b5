// Signing in to /mcp for agents that accept only OAuth 2.1: the documents that say where, and the exchange of a code for a key. The page
// between the two is the dashboard's (src/contract/agent-sign-in.ts).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AGENT_PATH, exchangeCode, isResource } from '../../accounts/agent-sign-in.ts'
import type { Deps } from '../../context.ts'
import { AGENT_SCOPES } from '../../contract/wall-values.ts'
import { GatewayError } from '../../errors.ts'
import { entryName } from '../../kernel/async/entry-name.ts'
import { checkedOrigin, requireCheckedOrigin } from '../../kernel/http/origin.ts'
import { createRateLimit } from '../../kernel/http/rate-limit.ts'
import type { AddDialect } from '../api/server.ts'

const RESOURCE_DOCUMENT = '/.well-known/oauth-protected-resource'
const SERVER_DOCUMENT = '/.well-known/oauth-authorization-server'
/** A page of the dashboard. */
const AUTHORIZE_PATH = '/oauth/authorize'
const TOKEN_PATH = '/oauth/token'
const FORM_BYTES = 8 * 1024
const WRONG_CODES_PER_MINUTE = 20

/** For the answer to a request without a key: where the agent learns how to sign in. */
export function signInHint(request: FastifyRequest, publicUrl: string | undefined): string {
  const origin = checkedOrigin(request, publicUrl)
  return origin === undefined
    ? 'Bearer'
    : `Bearer resource_metadata="${origin}${RESOURCE_DOCUMENT}${AGENT_PATH}"`
}

type SignInDeps = Pick<Deps, 'store' | 'clock'>

export const agentSignIn =
  (deps: SignInDeps): AddDialect =>
  (app, { publicUrl }) => {
    const origin = (request: FastifyRequest): string => requireCheckedOrigin(request, publicUrl)
    const knownOrigin = (request: FastifyRequest) => checkedOrigin(request, publicUrl)
    for (const path of [RESOURCE_DOCUMENT, RESOURCE_DOCUMENT + AGENT_PATH])
      app.get(path, (request, reply) => send(reply, 200, resourceDocument(origin(request))))
    app.get(SERVER_DOCUMENT, (request, reply) => send(reply, 200, serverDocument(origin(request))))
    void app.register(async (scope) => addToken(scope, deps, knownOrigin))
  }

const resourceDocument = (origin: string) => ({
  resource: origin + AGENT_PATH,
  resource_name: 'Switchboard',
  authorization_servers: [origin],
  scopes_supported: AGENT_SCOPES,
  bearer_methods_supported: ['header'],
})

const serverDocument = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: origin + AUTHORIZE_PATH,
  token_endpoint: origin + TOKEN_PATH,
  scopes_supported: AGENT_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
})

function addToken(
  scope: FastifyInstance,
  deps: SignInDeps,
  knownOrigin: (request: FastifyRequest) => string | undefined,
): void {
  const wrongCodes = createRateLimit(WRONG_CODES_PER_MINUTE / 60, WRONG_CODES_PER_MINUTE)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    (_request, text, done) => done(null, new URLSearchParams(String(text))),
  )
  // Any other body is refused in the form of the protocol.
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, _text, done) =>
    done(null, undefined),
  )
  scope.post(TOKEN_PATH, { bodyLimit: FORM_BYTES }, async (request, reply) => {
    if (!(request.body instanceof URLSearchParams))
      return send(reply, 400, fault('invalid_request', 'The body must be application/x-www-form-urlencoded.'))
    const form = request.body
    const origin = knownOrigin(request)
    const given =
      origin === undefined
        ? fault(
            'invalid_request',
            'This host name is not checked: agents can sign in once PUBLIC_URL is set.',
          )
        : codeIn(form, origin)
    if ('error' in given) return send(reply, 400, given)
    const exchanged = await exchangeCode(deps, given)
    if (exchanged) {
      const { key, scopes, expiresInSeconds } = exchanged
      return send(reply, 200, {
        access_token: key,
        token_type: 'Bearer',
        scope: scopes.join(' '),
        ...(expiresInSeconds !== null && { expires_in: expiresInSeconds }),
      })
    }
    const { allowed, retryAfterSeconds } = wrongCodes.take(
      entryName('address', request.clientAddress),
      deps.clock(),
    )
    if (!allowed) throw new GatewayError('rate_limited', {}, { retryAfterSeconds })
    return send(
      reply,
      400,
      fault('invalid_grant', 'The code is unknown, expired, used or not for this request.'),
    )
  })
}

const fault = (error: string, description: string) => ({ error, error_description: description })

/** The fields of the form, each of them once. */
function codeIn(form: URLSearchParams, origin: string) {
  if (new Set(form.keys()).size !== form.size) return fault('invalid_request', 'A field is given twice.')
  if (form.get('grant_type') !== 'authorization_code')
    return fault('unsupported_grant_type', 'Only authorization_code is offered.')
  const [code, clientId, redirectUri, verifier] = ['code', 'client_id', 'redirect_uri', 'code_verifier'].map(
    (name) => form.get(name) ?? '',
  )
  if (!code || !clientId || !redirectUri || !verifier)
    return fault('invalid_request', 'code, client_id, redirect_uri and code_verifier are required.')
  if (!isResource(origin, form.get('resource') ?? undefined))
    return fault('invalid_target', 'The resource is not this gateway.')
  return { code, clientId, redirectUri, verifier }
}

const send = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .send(body)
