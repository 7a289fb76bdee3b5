// Serves the Evolution dialect at /compat/evolution: each call is admitted as the route of this API that it stands for, its body is
// read leniently, and its handler calls routes of this API.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Auth, cacheCallers } from '../../accounts/authenticate.ts'
import type { Caller } from '../../accounts/caller.ts'
import { MEDIA_LIMIT_BYTES } from '../../contract/media-limits.ts'
import { GatewayError } from '../../errors.ts'
import {
  createInstanceAliases,
  findTokenHolder,
  type InstanceAliases,
  similarNames,
  type TokenHolder,
} from '../../instances/named-instances.ts'
import { type ArrivingBodies, countArriving } from '../../kernel/http/bodies.ts'
import { toGatewayError } from '../../kernel/http/errors.ts'
import { originOf } from '../../kernel/http/origin.ts'
import type { Transfers } from '../../kernel/http/transfers.ts'
import { didYouMean } from '../../kernel/names.ts'
import type { HandledRoute } from '../../request-handler.ts'
import type { RouteDeps } from '../api/routes.ts'
import type { AddDialect } from '../api/server.ts'
import { type Form, readForm } from '../form.ts'
import { readLeniently } from '../lenient-input.ts'
import { renamed } from '../renamed-fields.ts'
import { createUse, indexRoutes, type RouteOf, type UseRoute } from '../use-route.ts'
import type { CallContext, EvolutionCall, EvolutionParts } from './call.ts'
import * as chats from './chats.ts'
import { EvolutionError, evolutionErrorBody } from './errors.ts'
import * as groups from './groups.ts'
import * as instances from './instances.ts'
import * as interactive from './interactive-messages.ts'
import * as labels from './labels.ts'
import * as queries from './message-queries.ts'
import * as messages from './messages.ts'
import * as profile from './profile.ts'
import * as settings from './settings.ts'
import * as templates from './templates.ts'
import * as webhooks from './webhooks.ts'

export const PREFIX = '/compat/evolution'
/** A file of 16 MB in base64, and its fields. */
const FILE_BODY_BYTES = 23 * 1024 * 1024
const RETRY_SECONDS = 1

export interface EvolutionDeps {
  parts: EvolutionParts
  routes: readonly HandledRoute[]
  auth: Auth
  transfers: Transfers
  bodies: ArrivingBodies
  publicUrl: string | undefined
}

interface Serving extends EvolutionDeps {
  routeDeps: RouteDeps
  routeOf: RouteOf
  aliases: InstanceAliases
  callerOf(request: FastifyRequest): Promise<EvolutionCaller>
}

export const evolutionDialect =
  (deps: EvolutionDeps): AddDialect =>
  (app, routeDeps) => {
    const serving: Serving = {
      ...deps,
      routeDeps,
      routeOf: indexRoutes(deps.routes),
      aliases: createInstanceAliases(deps.parts),
      callerOf: createEvolutionAuth(deps.auth, deps.parts, deps.publicUrl),
    }
    void app.register(async (scope) => addCalls(scope, serving), { prefix: PREFIX })
  }

function addCalls(scope: FastifyInstance, serving: Serving): void {
  scope.setErrorHandler((error, request, reply) => sendEvolutionError(error, request, reply))
  scope.setNotFoundHandler((request, reply) =>
    sendEvolutionError(new EvolutionError(404, `Cannot ${request.method} this path`), request, reply),
  )
  // Read by the calls that take a file.
  scope.addContentTypeParser('multipart/form-data', (_request, source, done) => done(null, source))
  // Some clients end every path with a slash.
  for (const [method, path, call] of CALLS)
    for (const url of [path, `${path}/`]) addCall(scope, serving, { method, path: url, call })
  for (const [path, sentence] of NOT_OFFERED)
    scope.all(path, async (request, reply) => {
      await serving.routeDeps.admission.admit(serving.routeOf('listInstances').route, request, reply, () =>
        serving.callerOf(request),
      )
      throw new EvolutionError(501, sentence)
    })
}

interface Row {
  method: string
  path: string
  call: EvolutionCall
}

function addCall(scope: FastifyInstance, serving: Serving, { method, path, call }: Row): void {
  const { route } = serving.routeOf(call.admission)
  const takesFile = call.fileField !== undefined
  scope.route({
    method,
    url: path,
    ...(takesFile && { bodyLimit: FILE_BODY_BYTES, config: { isUpload: true } }),
    async onRequest(request, reply) {
      await serving.routeDeps.admission.admit(route, request, reply, () => serving.callerOf(request))
    },
    // A form is streamed; JSON is in memory as a whole.
    ...(takesFile && {
      preParsing: async (request: FastifyRequest, reply: FastifyReply, payload: Readable) =>
        isForm(request) ? payload : countArriving(serving.bodies, request, reply, payload),
    }),
    async handler(request, reply) {
      const answer = await answerOf(serving, call, request, reply)
      return reply.code(call.status).send(answer)
    },
  })
}

function holdInMemory(transfers: Transfers, request: FastifyRequest, reply: FastifyReply): void {
  const transfer = transfers.begin((request.caller as EvolutionCaller).account.id)
  reply.raw.once('close', transfer.end)
  transfer.holdInMemory()
}

const isForm = ({ headers }: FastifyRequest): boolean =>
  /^\s*multipart\//i.test(headers['content-type'] ?? '')

async function answerOf(
  serving: Serving,
  call: EvolutionCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const caller = request.caller as EvolutionCaller
  const use = createUse(serving, request, reply)
  const form = await readBody(call, request, use)
  const input = {
    body: readLeniently(call.body ?? z.object({}), form.fields, request, 'evolution'),
    query: readLeniently(call.query ?? z.object({}), request.query, request, 'evolution'),
  }
  const instance = await instanceOf(serving, caller, request)
  const context: CallContext = {
    caller,
    instance,
    onlyInstanceId: caller.instanceId,
    use,
    parts: serving.parts,
    forgetName: (name) => serving.aliases.forget(caller, name),
    instanceName: instance?.apiName ?? '',
    formFile: form.file,
    holdInMemory: () => holdInMemory(serving.transfers, request, reply),
  }
  try {
    return await call.handle(context, input)
  } catch (error) {
    throw await refusalOf(serving, context, error, call.fields ?? {})
  }
}

/** The instance may have been deleted since its name was cached, by the API of this gateway or on another node. */
async function refusalOf(
  { parts }: Serving,
  { caller, instance, forgetName }: CallContext,
  error: unknown,
  fields: NonNullable<EvolutionCall['fields']>,
): Promise<unknown> {
  const isGone = error instanceof GatewayError && error.reason === 'instance_not_found'
  if (!isGone || !instance) return renamed(error, fields)
  forgetName(instance.name)
  return unknownInstance(parts, caller, instance.name)
}

/** The instance of the path; calls that name none do not read it. */
async function instanceOf(
  { parts, aliases }: Serving,
  caller: EvolutionCaller,
  request: FastifyRequest,
): Promise<CallContext['instance']> {
  const { instanceName } = request.params as { instanceName?: string }
  if (instanceName === undefined) return undefined as unknown as CallContext['instance']
  const found = await aliases.find(caller, instanceName)
  const isVisible = caller.instanceId === undefined || found?.id === caller.instanceId
  // The token of another instance says nothing about this one.
  if (!isVisible) throw new GatewayError('unauthorized')
  if (found) return found
  throw await unknownInstance(parts, caller, instanceName)
}

async function unknownInstance(
  parts: EvolutionParts,
  caller: Caller,
  given: string,
): Promise<EvolutionError> {
  const similar = await similarNames(parts, caller, given)
  const name = given.slice(0, 100)
  return new EvolutionError(404, `The "${name}" instance does not exist.${didYouMean(similar)}`)
}

async function readBody(call: EvolutionCall, request: FastifyRequest, use: UseRoute): Promise<Form> {
  const { body } = request
  if (!(body instanceof Readable)) return { fields: (body ?? {}) as Form['fields'], file: undefined }
  if (call.fileField === undefined) throw new GatewayError('unsupported_media_type')
  return readForm(request.headers, body, MEDIA_LIMIT_BYTES.document, async ({ fileName, ...file }) => {
    const { mediaId } = await use('uploadMedia', { query: fileName ? { fileName } : {}, file })
    return { mediaId }
  })
}

function sendEvolutionError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal =
    error instanceof EvolutionError ? error : toGatewayError(error, request.routeOptions.bodyLimit)
  if (refusal.status >= 500 && refusal instanceof GatewayError)
    request.log.warn({ err: refusal.cause ?? refusal, reason: refusal.reason }, 'refused')
  const retryAfterSeconds =
    refusal instanceof GatewayError
      ? (refusal.retryAfterSeconds ?? (refusal.status === 503 ? RETRY_SECONDS : undefined))
      : undefined
  if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(retryAfterSeconds))
  const body = evolutionErrorBody(refusal)
  return reply.code(body.status).send(body)
}

// The header `apikey`: a key of the account, or the token of one instance.

interface EvolutionCaller extends Caller {
  /** Set for the token of an instance. */
  instanceId?: number
}

function createEvolutionAuth(
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

// The whole dialect on one screen: method, path and handler of every call.

type Method = 'GET' | 'POST' | 'DELETE'

// biome-ignore format: one line per call, in columns
export const CALLS: readonly (readonly [method: Method, path: string, call: EvolutionCall])[] = [
  ['POST',   '/instance/create',                        instances.createInstance],
  ['GET',    '/instance/fetchInstances',                instances.fetchInstances],
  ['GET',    '/instance/connect/:instanceName',         instances.connect],
  ['GET',    '/instance/connectionState/:instanceName', instances.connectionState],
  ['POST',   '/instance/restart/:instanceName',         instances.restart],
  ['POST',   '/instance/setPresence/:instanceName',     instances.setPresence],
  ['DELETE', '/instance/logout/:instanceName',          instances.logout],
  ['DELETE', '/instance/delete/:instanceName',          instances.deleteInstance],

  ['POST',   '/message/sendText/:instanceName',          messages.sendText],
  ['POST',   '/message/sendMedia/:instanceName',         messages.sendMedia],
  ['POST',   '/message/sendWhatsAppAudio/:instanceName', messages.sendWhatsAppAudio],
  ['POST',   '/message/sendPtv/:instanceName',           messages.sendPtv],
  ['POST',   '/message/sendSticker/:instanceName',       messages.sendSticker],
  ['POST',   '/message/sendLocation/:instanceName',      messages.sendLocation],
  ['POST',   '/message/sendContact/:instanceName',       messages.sendContact],
  ['POST',   '/message/sendReaction/:instanceName',      messages.sendReaction],
  ['POST',   '/message/sendPoll/:instanceName',          messages.sendPoll],
  ['POST',   '/message/sendList/:instanceName',          interactive.sendList],
  ['POST',   '/message/sendButtons/:instanceName',       interactive.sendButtons],
  ['POST',   '/message/sendCarousel/:instanceName',      interactive.sendCarousel],
  ['POST',   '/message/sendStatus/:instanceName',        messages.sendStatus],
  ['POST',   '/message/sendTemplate/:instanceName',      templates.sendTemplate],

  ['POST',   '/chat/whatsappNumbers/:instanceName',                  chats.whatsappNumbers],
  ['POST',   '/chat/markMessageAsRead/:instanceName',                chats.markMessageAsRead],
  ['POST',   '/chat/markMessageAsPlayed/:instanceName',              chats.markMessageAsPlayed],
  ['POST',   '/chat/archiveChat/:instanceName',                      chats.archiveChat],
  ['POST',   '/chat/markChatUnread/:instanceName',                   chats.markChatUnread],
  ['DELETE', '/chat/deleteMessageForEveryone/:instanceName',         queries.deleteMessageForEveryone],
  ['POST',   '/chat/updateMessage/:instanceName',                    queries.updateMessage],
  ['POST',   '/chat/sendPresence/:instanceName',                     chats.sendPresence],
  ['POST',   '/chat/updateBlockStatus/:instanceName',                chats.updateBlockStatus],
  ['POST',   '/chat/getBase64FromMediaMessage/:instanceName',        queries.getBase64FromMediaMessage],
  ['POST',   '/chat/findMessages/:instanceName',                     queries.findMessages],
  ['POST',   '/chat/findStatusMessage/:instanceName',                queries.findStatusMessage],
  ['POST',   '/chat/getPollVote/:instanceName',                      queries.getPollVote],
  ['POST',   '/chat/findChats/:instanceName',                        chats.findChats],
  ['POST',   '/chat/findContacts/:instanceName',                     chats.findContacts],
  ['GET',    '/chat/findChatByRemoteJid/:instanceName',              chats.findChatByRemoteJid],
  ['POST',   '/chat/findChannels/:instanceName',                     chats.findChannels],
  ['POST',   '/chat/fetchProfile/:instanceName',                     profile.fetchProfile],
  ['POST',   '/chat/fetchProfilePictureUrl/:instanceName',           profile.fetchProfilePictureUrl],
  ['POST',   '/chat/fetchBusinessProfile/:instanceName',             profile.fetchBusinessProfile],
  ['POST',   '/chat/updateProfileName/:instanceName',                profile.updateProfileName],
  ['POST',   '/chat/updateProfileStatus/:instanceName',              profile.updateProfileStatus],
  ['POST',   '/chat/updateProfilePicture/:instanceName',             profile.updateProfilePicture],
  ['DELETE', '/chat/removeProfilePicture/:instanceName',             profile.removeProfilePicture],
  ['GET',    '/chat/fetchPrivacySettings/:instanceName',             profile.fetchPrivacySettings],
  ['POST',   '/chat/updatePrivacySettings/:instanceName',            profile.updatePrivacySettings],

  ['POST',   '/group/create/:instanceName',                          groups.createGroup],
  ['POST',   '/group/updateGroupSubject/:instanceName',              groups.updateGroupSubject],
  ['POST',   '/group/updateGroupDescription/:instanceName',          groups.updateGroupDescription],
  ['POST',   '/group/updateGroupPicture/:instanceName',              groups.updateGroupPicture],
  ['GET',    '/group/findGroupInfos/:instanceName',                  groups.findGroupInfos],
  ['GET',    '/group/fetchAllGroups/:instanceName',                  groups.fetchAllGroups],
  ['GET',    '/group/participants/:instanceName',                    groups.participants],
  ['GET',    '/group/inviteCode/:instanceName',                      groups.inviteCode],
  ['GET',    '/group/inviteInfo/:instanceName',                      groups.inviteInfo],
  ['GET',    '/group/acceptInviteCode/:instanceName',                groups.acceptInviteCode],
  ['POST',   '/group/sendInvite/:instanceName',                      groups.sendInvite],
  ['POST',   '/group/revokeInviteCode/:instanceName',                groups.revokeInviteCode],
  ['POST',   '/group/updateParticipant/:instanceName',               groups.updateParticipant],
  ['POST',   '/group/updateSetting/:instanceName',                   groups.updateSetting],
  ['POST',   '/group/updateMemberAddMode/:instanceName',             groups.updateMemberAddMode],
  ['POST',   '/group/toggleEphemeral/:instanceName',                 groups.toggleEphemeral],
  ['DELETE', '/group/leaveGroup/:instanceName',                      groups.leaveGroup],

  ['POST',   '/webhook/set/:instanceName',   webhooks.setWebhook],
  ['GET',    '/webhook/find/:instanceName',  webhooks.findWebhook],
  ['POST',   '/settings/set/:instanceName',  settings.setSettings],
  ['GET',    '/settings/find/:instanceName', settings.findSettings],
  ['POST',   '/proxy/set/:instanceName',     settings.setProxy],
  ['GET',    '/proxy/find/:instanceName',    settings.findProxy],

  ['GET',    '/label/findLabels/:instanceName',  labels.findLabels],
  ['POST',   '/label/handleLabel/:instanceName', labels.handleLabel],

  ['POST',   '/template/create/:instanceName', templates.storeTemplate],
  ['GET',    '/template/find/:instanceName',   templates.findTemplates],
  ['DELETE', '/template/delete/:instanceName', templates.deleteTemplate],
]

const BOTS =
  'Chatbots are not part of this gateway. Subscribe to its webhooks, and answer from your own program.'
const CHATWOOT =
  'The bridge to Chatwoot is set up by the API of this gateway: PUT /api/v1/chatwoot/{instanceName}.'
const BROKERS = 'Use webhook/set, or a destination of this gateway for a broker: POST /api/v1/destinations.'
const EVENT_STREAM = 'Use webhook/set, or the event stream of this gateway: GET /api/v1/events/stream.'
const BUSINESS = 'Catalogues and collections need the Business API, which this gateway does not offer.'

/** Paths that are known and not offered, with the sentence of the 501. */
export const NOT_OFFERED: readonly (readonly [path: string, sentence: string])[] = [
  ...['typebot', 'dify', 'flowise', 'evolutionBot', 'openai', 'n8n', 'evoai'].map(
    (family) => [`/${family}/*`, BOTS] as const,
  ),
  ['/chatwoot/*', CHATWOOT],
  ...['rabbitmq', 'sqs', 'nats', 'kafka'].map((family) => [`/${family}/*`, BROKERS] as const),
  ...['websocket', 'pusher'].map((family) => [`/${family}/*`, EVENT_STREAM] as const),
  ['/template/*', 'Templates cannot be changed. Delete it, and create it again.'],
  ['/business/*', BUSINESS],
  ['/call/*', 'This gateway rejects calls, and cannot make them.'],
]
