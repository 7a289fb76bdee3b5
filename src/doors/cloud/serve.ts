// Serves the Cloud API dialect at /compat/cloud/v{n}, and without a version as the original does: each call is admitted as the route of this API that it stands for, and its
// handler calls routes of this API.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Auth, presentedKey } from '../../accounts/authenticate.ts'
import type { Caller } from '../../accounts/caller.ts'
import { MEDIA_LIMIT_BYTES } from '../../contract/media-limits.ts'
import type { FileContent, StreamedFile } from '../../contract/route.ts'
import { GatewayError, invalidField } from '../../errors.ts'
import { toGatewayError } from '../../kernel/http/errors.ts'
import { originOf } from '../../kernel/http/origin.ts'
import type { HandledRoute } from '../../request-handler.ts'
import { type RouteDeps, sendFile } from '../api/routes.ts'
import type { AddDialect } from '../api/server.ts'
import { type Form, readForm } from '../form.ts'
import { noteIgnored, readLeniently } from '../lenient-input.ts'
import { renamed } from '../renamed-fields.ts'
import { createUse, indexRoutes, type RouteOf, type UseRoute } from '../use-route.ts'
import type { CloudCall, CloudContext } from './call.ts'
import { CALLS, NOT_OFFERED } from './calls.ts'
import { CloudError, cloudErrorOf } from './errors.ts'
import { downloadMedia } from './media.ts'

export const PREFIX = '/compat/cloud'
/** The form of the file is that of the upload; the other parts are small. */
const FORM_BYTES = MEDIA_LIMIT_BYTES.document + 1024 * 1024
/** With a version, and without one: some clients leave it out. */
const VERSIONED = `${PREFIX}/:version(^v\\d+\\.\\d+$)`
const RETRY_SECONDS = 1

export interface CloudDeps {
  parts: CloudContext['parts']
  routes: readonly HandledRoute[]
  auth: Auth
  publicUrl: string | undefined
}

interface Serving extends CloudDeps {
  routeDeps: RouteDeps
  routeOf: RouteOf
}

export const cloudDialect =
  (deps: CloudDeps): AddDialect =>
  (app, routeDeps) => {
    const serving: Serving = { ...deps, routeDeps, routeOf: indexRoutes(deps.routes) }
    for (const prefix of [PREFIX, VERSIONED])
      void app.register(async (scope) => addCalls(scope, serving, prefix === PREFIX), { prefix })
  }

function addCalls(scope: FastifyInstance, serving: Serving, isOutermost: boolean): void {
  scope.setErrorHandler((error, request, reply) => sendCloudError(error, request, reply))
  if (isOutermost) scope.setNotFoundHandler((request, reply) => sendCloudError(unknownPath(), request, reply))
  // Read by the call that takes a file.
  scope.addContentTypeParser('multipart/form-data', (_request, source, done) => done(null, source))
  for (const [method, path, call] of CALLS) addCall(scope, serving, { method, path, call })
  for (const [path, sentence] of NOT_OFFERED)
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: path,
      async onRequest(request, reply) {
        const { route } = serving.routeOf('listInstances')
        await serving.routeDeps.admission.admit(route, request, reply, () =>
          callerOf(serving, request, false),
        )
      },
      handler: () => Promise.reject(new CloudError(501, 3, sentence)),
    })
}

const unknownPath = () => new CloudError(404, 2500, 'There is nothing at this path.')

interface Row {
  method: string
  path: string
  call: CloudCall
}

function addCall(scope: FastifyInstance, serving: Serving, { method, path, call }: Row): void {
  const { route } = serving.routeOf(call.admission)
  scope.route({
    method,
    url: path,
    ...(call.takesForm && { bodyLimit: FORM_BYTES, config: { isUpload: true } }),
    onRequest: (request, reply) =>
      serving.routeDeps.admission.admit(route, request, reply, () =>
        callerOf(serving, request, call.keyInQuery === true),
      ),
    async handler(request, reply) {
      const answer = await answerOf(serving, call, request, reply)
      return call === downloadMedia
        ? sendFile(reply, answer as FileContent | StreamedFile)
        : reply.send(answer)
    },
  })
}

/** The key of the header; where the call allows it, otherwise that of the query. */
function keyOf(request: FastifyRequest, inQuery: boolean): string | undefined {
  const key = presentedKey(request, false)
  if (key !== undefined || !inQuery || request.headers.authorization !== undefined) return key
  const { access_token: token } = request.query as { access_token?: unknown }
  return typeof token === 'string' && token !== '' ? token : undefined
}

async function callerOf(
  { auth, publicUrl }: Serving,
  request: FastifyRequest,
  inQuery: boolean,
): Promise<Caller> {
  const holder = await auth.callerOfKey(request, keyOf(request, inQuery))
  auth.noteUse(holder)
  return { ...holder, origin: originOf(request, publicUrl) }
}

async function answerOf(
  serving: Serving,
  call: CloudCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const caller = request.caller as Caller
  const { version, id = '' } = request.params as { version?: string; id?: string }
  // A file keeps the headers that protect the browser of its reader.
  const use = createUse(serving, request, reply, call === downloadMedia ? () => true : undefined)
  const form = await readBody(call, request, use)
  const input = {
    body: readLeniently(call.body ?? NO_FIELDS, form.fields, request, 'cloud'),
    query: readLeniently(call.query ?? NO_FIELDS, request.query, request, 'cloud'),
  }
  const context: CloudContext = {
    caller,
    use,
    parts: serving.parts,
    id,
    base: caller.origin + PREFIX + (version === undefined ? '' : `/${version}`),
    formFile: form.file,
    key: keyOf(request, false),
    noteIgnored: (fields) => noteIgnored(fields, request, 'cloud'),
  }
  try {
    return await call.handle(context, input)
  } catch (error) {
    throw renamed(error, call.fields ?? {})
  }
}

const NO_FIELDS = z.object({})

async function readBody(call: CloudCall, request: FastifyRequest, use: UseRoute): Promise<Form> {
  const { body } = request
  if (!(body instanceof Readable)) {
    if (call.takesForm) throw invalidField('Content-Type', 'expected multipart/form-data')
    return { fields: (body ?? {}) as Form['fields'], file: undefined }
  }
  if (!call.takesForm) throw new GatewayError('unsupported_media_type')
  return readForm(request.headers, body, MEDIA_LIMIT_BYTES.document, async ({ fileName, ...file }) => {
    const { mediaId } = await use('uploadMedia', { query: fileName ? { fileName } : {}, file })
    return { mediaId }
  })
}

function sendCloudError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = error instanceof CloudError ? error : toGatewayError(error, request.routeOptions.bodyLimit)
  if (refusal instanceof GatewayError) {
    if (refusal.status >= 500)
      request.log.warn({ err: refusal.cause ?? refusal, reason: refusal.reason }, 'refused')
    const isTemporary = refusal.status === 503 && refusal.reason !== 'gateway_held'
    const retryAfterSeconds = refusal.retryAfterSeconds ?? (isTemporary ? RETRY_SECONDS : undefined)
    if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(retryAfterSeconds))
    if (refusal.reason === 'unauthorized') void reply.header('WWW-Authenticate', 'Bearer')
  }
  const { status, body } = cloudErrorOf(refusal, request.id)
  return reply.code(status).send(body)
}
