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
import { invalidInput, noteIgnored, readLeniently } from '../lenient-input.ts'
import { renamed } from '../renamed-fields.ts'
import { findTemplate } from '../stored-templates.ts'
import { type GivenComponents, givenComponents, ParameterMismatch, templateSend } from '../template-text.ts'
import { createUse, indexRoutes, type RouteOf, type UseRoute } from '../use-route.ts'
import { addressOf, oneIdOf } from './addresses.ts'
import { type CloudCall, type CloudContext, call, optionalText, PRODUCT, product, text } from './call.ts'
import { CloudError, cloudErrorOf, FAILURES } from './errors.ts'
import { interactiveKind } from './interactive.ts'
import { type Kind, kind, type SendAnswer, type SharedFields } from './kind.ts'
import { deleteMedia, downloadMedia, uploadMedia } from './media.ts'
import {
  contactsKind,
  locationKind,
  mediaKind,
  reactionKind,
  stickerKind,
  textKind,
} from './message-kinds.ts'
import * as numbers from './phone-numbers.ts'
import * as profile from './profile.ts'
import * as templates from './templates.ts'
import * as webhooks from './webhooks.ts'

// POST /{id}/messages: a message of any kind, a read receipt, or both a receipt and "typing…".

// Messages from templates: the stored template is rendered, and sent as a text or as a file with a caption.

const content = z.object({
  name: text,
  language: z.object({ code: text }),
  components: givenComponents.nullish(),
})

const templateKind = kind({
  content,
  fields: {
    message: 'components',
    mediaUrl: 'components.header.link',
    mediaId: 'components.header.id',
    fileName: 'components.header.filename',
  },
  async send({ use, parts, caller }, common, { name, language, components }) {
    const template = await findTemplate(parts, caller, { name, language: language.code })
    if (!template)
      throw new CloudError(404, 132001, `template name (${name}) does not exist in ${language.code}`)
    const send = sendOrRefused(template.components, components ?? [])
    return send.id === 'sendText'
      ? use('sendText', { body: { ...common, ...send.fields } })
      : use('sendMedia', { body: { ...common, ...send.fields } })
  },
})

function sendOrRefused(template: unknown, given: GivenComponents) {
  try {
    return templateSend(template, given)
  } catch (error) {
    if (error instanceof ParameterMismatch) throw new CloudError(400, 132000, error.message)
    throw error
  }
}

export const KINDS: Readonly<Record<string, Kind>> = {
  text: textKind,
  image: mediaKind('image'),
  video: mediaKind('video'),
  audio: mediaKind('audio'),
  document: mediaKind('document'),
  sticker: stickerKind,
  location: locationKind,
  contacts: contactsKind,
  reaction: reactionKind,
  interactive: interactiveKind,
  template: templateKind,
}

const body = z.object({
  messaging_product: product,
  recipient_type: optionalText,
  to: optionalText,
  recipient: optionalText,
  type: optionalText,
  context: z.object({ message_id: optionalText }).nullish(),
  status: optionalText,
  message_id: optionalText,
  typing_indicator: z.object({ type: optionalText }).nullish(),
  // The content of each kind is read by its own schema.
  ...Object.fromEntries(Object.keys(KINDS).map((name) => [name, z.unknown().optional()])),
})
type Body = z.output<typeof body>

const postMessage = call({
  admission: 'sendText',
  body,
  handle: (context, { body: given }) =>
    given.status ? reportRead(context, given) : sendMessage(context, given),
})

async function sendMessage(context: CloudContext, given: Body) {
  const name = given.type || 'text'
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  if (!kind) throw new CloudError(400, 131051, `type: expected one of ${Object.keys(KINDS).join(', ')}`)
  const to = given.to || given.recipient
  const content = kind.content.safeParse((given as Record<string, unknown>)[name])
  if (!to) throw invalidField('to', 'required')
  if (content.error) throw invalidInput(content.error.issues, [name])
  try {
    const answer = await kind.send(context, commonOf(context, given, to), content.data)
    return shownAnswer(to, answer)
  } catch (error) {
    throw renamed(error, namesBelow(name, kind))
  }
}

const commonOf = ({ id }: CloudContext, { recipient_type, context }: Body, to: string): SharedFields => ({
  instanceName: id,
  ...(recipient_type === 'group' ? { groupJid: to } : addressOf(to)),
  delay: 0,
  ...(context?.message_id && { quotedMessageId: context.message_id }),
})

const COMMON_NAMES = {
  number: 'to',
  chat: 'to',
  groupJid: 'to',
  instanceName: 'id',
  quotedMessageId: 'context.message_id',
}

const namesBelow = (name: string, { fields }: Kind): Record<string, string> => ({
  ...COMMON_NAMES,
  ...Object.fromEntries(
    Object.entries(fields).map(([own, shown]) => [own, shown === '' ? name : `${name}.${shown}`]),
  ),
})

/** With `Prefer: wait`, a failure may be known by now. */
function shownAnswer(input: string, { messageId, number, groupJid, chat, failure }: SendAnswer) {
  if (failure) throw new CloudError(400, FAILURES[failure.reason], failure.error)
  return {
    messaging_product: PRODUCT,
    contacts: [contactOf(input, { number, groupJid, chat })],
    messages: [{ id: messageId, message_status: 'accepted' }],
  }
}

/** A person whose number is hidden has another id. */
function contactOf(
  input: string,
  { number, groupJid, chat }: Pick<SendAnswer, 'number' | 'groupJid' | 'chat'>,
) {
  const waId = number ?? groupJid
  return { input, ...(waId ? { wa_id: waId } : { user_id: oneIdOf(chat) }) }
}

/** The original shows "typing…" for 25 seconds, or until the next message. */
const TYPING_SECONDS = 25
const PRESENCES: Readonly<Record<string, 'typing' | 'recording'>> = { text: 'typing', audio: 'recording' }

/** This API marks the whole chat as read. */
async function reportRead({ use, id }: CloudContext, given: Body) {
  if (given.status !== 'read') throw new CloudError(400, 131009, 'status: expected "read"')
  const messageId = given.message_id
  if (!messageId) throw new CloudError(400, 131008, 'message_id: required')
  const { message } = await use('getMessage', { params: { messageId }, query: { instanceName: id } })
  if (message.direction !== 'incoming')
    throw new CloudError(400, 131009, 'message_id: expected a message that was received')
  const { chat } = message
  await use('readChat', { query: { instanceName: id }, body: { chat } })
  if (given.typing_indicator) {
    const presence = PRESENCES[given.typing_indicator.type ?? 'text']
    if (!presence) throw new CloudError(400, 131009, 'typing_indicator.type: expected "text"')
    await use('showPresence', { body: { instanceName: id, chat, presence, seconds: TYPING_SECONDS } })
  }
  return { success: true }
}

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

// The whole dialect on one screen: method, path and handler of every call, below the version.

type Method = 'GET' | 'POST' | 'DELETE'

// biome-ignore format: one line per call, in columns
export const CALLS: readonly (readonly [method: Method, path: string, call: CloudCall])[] = [
  ['POST',   '/:id/messages',                  postMessage],
  ['DELETE', '/:id',                           deleteMedia],
  ['POST',   '/:id/media',                     uploadMedia],
  ['GET',    '/:id/download',                  downloadMedia],
  ['GET',    '/debug_token',                   numbers.debugToken],
  ['GET',    '/:id',                           numbers.readObject],
  ['POST',   '/:id',                           webhooks.postNumber],
  ['GET',    '/:id/phone_numbers',             numbers.listNumbers],
  ['POST',   '/:id/register',                  numbers.register],
  ['GET',    '/:id/whatsapp_business_profile', profile.getProfile],
  ['POST',   '/:id/whatsapp_business_profile', profile.updateProfile],
  ['GET',    '/:id/message_templates',         templates.getTemplates],
  ['POST',   '/:id/message_templates',         templates.postTemplate],
  ['DELETE', '/:id/message_templates',         templates.deleteTemplate],
  ['GET',    '/:id/subscribed_apps',           webhooks.getSubscriptions],
  ['POST',   '/:id/subscribed_apps',           webhooks.postSubscription],
  ['DELETE', '/:id/subscribed_apps',           webhooks.deleteSubscription],
]

const ACCOUNTS = 'Accounts and numbers are managed by the API of this gateway.'

/** Paths that are known and not offered with any method, and the sentence of the 501. */
export const NOT_OFFERED: readonly (readonly [path: string, sentence: string])[] = [
  ...['calls', 'call_permissions'].map(
    (name) => [`/:id/${name}`, 'This gateway rejects calls, and cannot make them.'] as const,
  ),
  ['/:id/flows', 'Flows need the Business Platform, which this gateway does not offer.'],
  ['/:id/message_qrdls', 'Codes with a prefilled message are not available.'],
  ['/:id/conversational_automation', 'Automatic answers are not part of this gateway.'],
  ...['request_code', 'verify_code', 'deregister', 'settings', 'assigned_users'].map(
    (name) => [`/:id/${name}`, ACCOUNTS] as const,
  ),
  ['/:id/groups', 'Groups are managed by the API of this gateway; messages can be sent to them.'],
  ['/:id/block_users', 'People are blocked by the API of this gateway.'],
]
