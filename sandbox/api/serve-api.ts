// The HTTP API of the sandbox: authentication, the shape of errors, and all calls.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { omitUndefined } from '../../src/contract/omit-undefined.ts'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { BASE_PATHS } from '../../src/contract/route.ts'
import { sandboxRoutes as routes } from '../../src/contract/sandbox.ts'
import { findTextFault } from '../../src/contract/text-guard.ts'
import type { Log } from '../model/log.ts'
import { waitFor } from '../model/notifier.ts'
import { Refusal, type RefusalReason } from '../model/refusal.ts'
import type { Account } from '../model/world.ts'
import { setAddressing } from '../network/accounts.ts'
import { announcedVersion, setVersions } from '../network/client-versions.ts'
import { type Faults, restrictionOf } from '../network/fault-state.ts'
import {
  clearFaults,
  disconnect,
  replaceConnections,
  restrict,
  silence,
  unlinkAll,
} from '../network/faults.ts'
import { announcePresence } from '../network/presence.ts'
import { injectFrame } from '../phones/inject.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { listFrames } from '../store/frames.ts'
import { isFullDisk } from '../store/full-disk.ts'
import { actionCalls } from './actions.ts'
import { call } from './call.ts'
import { callCalls } from './calls.ts'
import { groupCalls } from './groups.ts'
import { passkeyCalls } from './passkeys.ts'
import { phoneCalls } from './phones.ts'
import type { View } from './view.ts'

export interface ApiOptions {
  apiKey: string
  /** Known after the server has started to listen. */
  wsUrl: () => string
  /** The host in the media URLs of messages that phones send. */
  mediaHost: () => string
}

export function serveApi(app: FastifyInstance, state: StateWithPhones, options: ApiOptions): void {
  parseJsonBodies(app)
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(state.log, error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    answerError(
      state.log,
      new Refusal('not_found', `There is no ${request.method} ${request.url}.`),
      request,
      reply,
    ),
  )
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) => authorise(request, options.apiKey))
      phoneCalls(scope, state, options.mediaHost)
      passkeyCalls(scope, state)
      actionCalls(scope, state, options.mediaHost)
      callCalls(scope, state)
      groupCalls(scope, state)
      faultCalls(scope, state)
      injectionCalls(scope, state)
      networkCalls(scope, state, options.wsUrl)
    },
    { prefix: BASE_PATHS.sandbox },
  )
}

/** Parses JSON with the same limits as the gateway. */
function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    const fault = findTextFault(text as string)
    if (fault)
      return done(new Refusal('invalid_request', `The request is not valid: ${fault.message}`, [fault]))
    return void parse(request, text as string, done)
  })
}

function authorise(request: FastifyRequest, apiKey: string): void {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  // Hashes have equal length, so the comparison reveals nothing about the key.
  if (!timingSafeEqual(digest(given), digest(apiKey)))
    throw new Refusal('unauthorized', 'The API key is missing or wrong.')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Reasons for the errors that the framework raises. */
const FRAMEWORK_REASONS: Record<number, RefusalReason> = {
  413: 'body_too_large',
  415: 'unsupported_media_type',
}

function answerError(
  log: Log,
  error: Error & { statusCode?: number | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = error instanceof Refusal ? error : (fromDisk(error) ?? fromFramework(error))
  if (!refusal) log.error('call failed', { requestId: request.id, error: error.stack })
  const body = {
    success: false,
    error: refusal?.message ?? 'An internal error occurred.',
    reason: refusal?.reason ?? 'internal',
    requestId: request.id,
    ...(refusal?.details && { details: refusal.details }),
  }
  if (refusal?.reason === 'unauthorized') void reply.header('www-authenticate', 'Bearer')
  return reply.code(refusal?.status ?? 500).send(body)
}

function fromDisk(error: unknown): Refusal | undefined {
  return isFullDisk(error) ? new Refusal('storage_full', sentenceOf('storage_full')) : undefined
}

function fromFramework(error: Error & { statusCode?: number | undefined }): Refusal | undefined {
  const status = error.statusCode ?? 500
  if (status >= 500) return undefined
  return new Refusal(FRAMEWORK_REASONS[status] ?? 'invalid_request', error.message)
}

// The call that puts frames of any content on the wire.
function injectionCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxInjectFrames, async ({ body }, view) => {
    const { account } = view.phone(body.number)
    // A frame can harm every account of the gateway that receives it.
    if (view.account !== undefined) throw new Refusal('operator_only', sentenceOf('operator_only'))
    let sent = 0
    for (const frame of body.frames) if (await injectFrame(state, account, frame)) sent += 1
    return { sent }
  })
}

// Calls about the network: its address, its addressing mode, versions of clients, changes and frames.
function networkCalls(app: FastifyInstance, state: StateWithPhones, wsUrl: () => string): void {
  const describe = () => ({
    wsUrl: wsUrl(),
    rootPublicKey: state.certificates.rootPublicKey.toString('hex'),
    addressing: state.world.addressing,
    minimumVersion: state.world.versions.minimum,
    announcedVersion: announcedVersion(state.world),
  })
  call(app, state, routes.sandboxGetNetwork, describe)
  call(app, state, routes.sandboxSetNetwork, async ({ body }, view) => {
    if (view.account !== undefined) throw new Refusal('operator_only', sentenceOf('operator_only'))
    const { addressing, minimumVersion: minimum, announcedVersion: announced } = body
    if (addressing !== undefined) setAddressing(state.world, state.database, addressing)
    setVersions(state.world, state.database, omitUndefined({ minimum, announced }))
    await state.database.committed()
    return describe()
  })
  call(app, state, routes.sandboxListChanges, async ({ query }, view) => {
    const feed = state.changes.feedOf(view.account)
    const news = () => feed.after(query.after)
    const isNews = () => [news()].filter(({ missed, changes: found }) => missed || found.length > 0)
    const [found = news()] = await waitFor(feed.notifier, query.waitMs, isNews)
    return found
  })
  call(app, state, routes.sandboxListFrames, ({ query }, view) => {
    const numbers = view.account === undefined ? undefined : view.phones().map(({ number }) => number)
    return { frames: listFrames(state.database, { ...query, numbers }) }
  })
}

// Calls that start, list and clear faults.

type Fault = z.output<typeof routes.sandboxCreateFault.body>

function faultCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxListFaults, (_input, view) => ({ faults: listFaults(state.faults, view) }))
  call(app, state, routes.sandboxCreateFault, async ({ body }, view) => {
    const { account } = view.phone(body.number)
    await startFault(state, account, body)
    state.changes.record({ about: 'world' }, [account.owner])
    return { faults: listFaults(state.faults, view) }
  })
  call(app, state, routes.sandboxClearFaults, async ({ query }, view) => {
    const seen = numbersOf(view)
    await clearFaults(state, { ...query, isOwn: (number) => seen.has(number) })
    if (view.account === undefined) state.changes.recordForAll({ about: 'world' })
    else state.changes.record({ about: 'world' }, [view.account])
    return { faults: listFaults(state.faults, view) }
  })
}

const numbersOf = (view: View): Set<string> => new Set(view.phones().map(({ number }) => number))

async function startFault(state: StateWithPhones, account: Account, fault: Fault): Promise<void> {
  const { rejected, refused, offline, linking } = state.faults
  switch (fault.kind) {
    case 'disconnect':
      disconnect(state.online, account, fault.code)
      return
    case 'reject':
      rejected.set(account.number, limited(fault))
      return
    case 'refuse':
      refused.set(account.number, limited(fault))
      return
    case 'replace':
      replaceConnections(state.online, account)
      return
    case 'silent':
      silence(state, account)
      return
    case 'offline':
      offline.add(account.number)
      announcePresence(state, account)
      return
    case 'linking':
      linking.set(account.number, (linking.get(account.number) ?? new Set()).add(fault.variant))
      return
    case 'unlink':
      await unlinkAll(state, account)
      return
    case 'restrict':
      await restrict(state, account, Math.floor(Date.now() / 1000) + fault.seconds)
  }
}

function limited({
  code,
  count,
  seconds,
}: {
  code: number
  count?: number | undefined
  seconds?: number | undefined
}) {
  const untilMs = seconds === undefined ? undefined : Date.now() + seconds * 1000
  return { code: String(code), left: count ?? Number.POSITIVE_INFINITY, untilMs }
}

function listFaults(faults: Faults, view: View): { number: string; kind: Fault['kind'] }[] {
  const seen = numbersOf(view)
  const silent = [...faults.silenced].map((connection) => connection.login?.account.number ?? '')
  return [
    ...[...faults.rejected.keys()].map((number) => ({ number, kind: 'reject' as const })),
    ...[...faults.refused.keys()].map((number) => ({ number, kind: 'refuse' as const })),
    ...[...faults.restricted.keys()]
      .filter((number) => restrictionOf(faults, number))
      .map((number) => ({ number, kind: 'restrict' as const })),
    ...[...faults.offline].map((number) => ({ number, kind: 'offline' as const })),
    ...[...faults.linking.keys()].map((number) => ({ number, kind: 'linking' as const })),
    ...silent.map((number) => ({ number, kind: 'silent' as const })),
  ].filter(({ number }) => seen.has(number))
}
