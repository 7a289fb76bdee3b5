// Instances of the dialect: created with a name of the client's choice, connected by QR code or pairing code.
import { z } from 'zod'
import type { AnswerOf } from '../../contract/route.ts'
import type { Routes } from '../../contract/routes.ts'
import { GatewayError } from '../../errors.ts'
import {
  countRows,
  createNamedInstance,
  findNamedInstance,
  listNamedInstances,
  type NamedInstance,
} from '../../instances/named-instances.ts'
import { NetworkError } from '../../network/network.ts'
import { personOf } from './addresses.ts'
import { type CallContext, call, looseFlag, optionalText, text, wholeNumber } from './call.ts'
import { EvolutionError } from './errors.ts'
import { qrAsUrl } from './qr.ts'
import { changeOf, changeSettings, proxyUrlOf, settingFields, shownProxy, shownSettings } from './settings.ts'
import { storeWebhook, webhookFields } from './webhooks.ts'

const BAILEYS = 'WHATSAPP-BAILEYS'

/** As long as a secret of a webhook: a shorter one could be guessed. */
const token = z
  .string()
  .regex(/^[\x21-\x7e]{16,256}$/, { error: 'expected 16 to 256 printable ASCII characters without spaces' })

/** Clients send empty text for what they do not set. */
const unlessEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.nullish())

const creation = z.object({
  instanceName: text,
  integration: z.enum([BAILEYS, 'WHATSAPP-BUSINESS', 'EVOLUTION']).nullish(),
  qrcode: looseFlag.nullish(),
  number: optionalText,
  token: unlessEmpty(token),
  ...settingFields,
  proxyHost: optionalText,
  proxyPort: z.union([text, wholeNumber]).nullish(),
  proxyProtocol: optionalText,
  proxyUsername: optionalText,
  proxyPassword: optionalText,
  webhook: webhookFields.partial({ enabled: true }).nullish(),
})

export const createInstance = call({
  admission: 'createInstance',
  status: 201,
  body: creation,
  fields: { proxy: 'proxyHost', url: 'webhook.url' },
  async handle(context, { body }) {
    if (context.onlyInstanceId !== undefined)
      throw new EvolutionError(401, 'The token of an instance cannot create instances')
    if (body.integration && body.integration !== BAILEYS)
      throw new EvolutionError(400, `integration: only ${BAILEYS} is available`)
    const name = body.instanceName
    const created = await createNamedInstance(context.parts, context.caller, {
      name,
      token: body.token ?? undefined,
    })
    if (created === 'taken') throw new EvolutionError(403, `This name "${name}" is already in use.`)
    const { instance } = created
    const { id, apiInstanceName: apiName } = instance
    const own = { ...context, instance: { id, name, apiName }, instanceName: apiName }
    context.forgetName(name)
    const { webhook, settings } = await applyOptions(own, body).catch(async (error: unknown) => {
      // The token would be lost with this answer, and the name would be taken.
      await context.use('deleteInstance', { query: { instanceName: own.instanceName } })
      throw error
    })
    return {
      instance: {
        instanceName: name,
        instanceId: String(instance.id),
        integration: BAILEYS,
        webhookWaBusiness: null,
        accessTokenWaBusiness: '',
        status: instance.state,
      },
      hash: created.token,
      webhook: {
        webhookUrl: webhook?.url ?? '',
        webhookHeaders: webhook?.headers ?? {},
        webhookByEvents: webhook?.webhookByEvents ?? false,
        webhookBase64: webhook?.webhookBase64 ?? false,
      },
      websocket: { enabled: false },
      rabbitmq: { enabled: false },
      nats: { enabled: false },
      sqs: { enabled: false },
      settings: shownSettings(settings),
      ...(body.qrcode && { qrcode: await login(own, body.number).catch(withoutCode) }),
    }
  },
})

async function applyOptions(context: CallContext, body: z.output<typeof creation>) {
  const { proxyHost: host, proxyPort: port } = body
  const proxy = host
    ? {
        proxy: proxyUrlOf({
          host,
          port: port ?? '',
          protocol: body.proxyProtocol,
          username: body.proxyUsername,
          password: body.proxyPassword,
        }),
      }
    : {}
  const settings = await changeSettings(context, { ...changeOf(body), ...proxy })
  const given = body.webhook?.url ? { ...body.webhook, enabled: body.webhook.enabled ?? true } : undefined
  return { settings, webhook: given ? await storeWebhook(context, given) : null }
}

/** The dialect counts the codes that were shown; this API shows them for as long as pairing lasts. */
async function login({ use, parts, instanceName }: CallContext, number: string | null | undefined) {
  const body = number ? { number: personOf(number) } : {}
  const { qr, pairingCode } = await use('connectInstance', { query: { instanceName }, body })
  return {
    pairingCode,
    code: qr?.code ?? null,
    base64: qr && (await qrAsUrl(parts, qr.code)),
    count: 1,
  }
}

/** The instance exists, and its answer has the token: a code that is not available yet comes as an event. */
function withoutCode(error: unknown) {
  if (!(error instanceof GatewayError || error instanceof NetworkError)) throw error
  return { pairingCode: null, code: null, base64: null, count: 0 }
}

/** As it is now: the instance of the context was read before the call. */
async function stateOf(context: CallContext) {
  const { instance } = await context.use('instanceState', { query: { instanceName: context.instanceName } })
  return instance.state
}

const shownState = async (context: CallContext) => ({
  instance: { instanceName: context.instance.name, state: await stateOf(context) },
})

export const connect = call({
  admission: 'connectInstance',
  status: 200,
  query: z.object({ number: optionalText }),
  async handle(context, { query }) {
    if ((await stateOf(context)) === 'open') return shownState(context)
    return login(context, query.number)
  },
})

export const connectionState = call({ admission: 'instanceState', status: 200, handle: shownState })

export const fetchInstances = call({
  admission: 'listInstances',
  status: 200,
  query: z.object({ instanceName: optionalText, instanceId: optionalText, number: optionalText }),
  async handle(context, { query }) {
    const { parts, caller, onlyInstanceId } = context
    const all = await listNamedInstances(parts, caller)
    const found = all.filter(
      ({ name, instance }) =>
        (onlyInstanceId === undefined || instance.id === onlyInstanceId) &&
        (!query.instanceName || name === query.instanceName) &&
        (!query.instanceId || String(instance.id) === query.instanceId) &&
        (!query.number || instance.number === personOf(query.number)),
    )
    if (query.instanceName && found.length === 0)
      throw new EvolutionError(404, `Instance "${query.instanceName.slice(0, 100)}" not found`)
    const rows = []
    for (const each of found) rows.push(await rowOf(context, each))
    return rows
  },
})

/** The token is stored as a hash, so it is not shown again. */
async function rowOf({ use, parts }: CallContext, { name, instance }: NamedInstance) {
  const { settings } = await use('getSettings', { query: { instanceName: instance.apiInstanceName } })
  return {
    id: String(instance.id),
    name,
    connectionStatus: instance.state,
    ownerJid: instance.owner,
    profileName: instance.profileName,
    profilePicUrl: instance.profilePictureUrl,
    integration: BAILEYS,
    number: instance.number,
    businessId: null,
    token: null,
    clientName: 'switchboard',
    disconnectionReasonCode: null,
    disconnectionObject: null,
    disconnectionAt: null,
    createdAt: instance.createdAt,
    updatedAt: instance.updatedAt,
    Chatwoot: null,
    Proxy: shownProxy(settings.proxy),
    Rabbitmq: null,
    Sqs: null,
    Websocket: null,
    Setting: shownSettings(settings),
    _count: await countRows(parts, instance.id),
  }
}

export const restart = call({
  admission: 'restartInstance',
  status: 200,
  async handle(context) {
    const { use, instanceName, instance } = context
    const row = await findNamedInstance(context.parts, context.caller, instance.name)
    // Without a login there is nothing to restart: pairing starts again, as in the dialect.
    if (row?.instance.number === null) return login(context, undefined)
    const restarted: AnswerOf<Routes['restartInstance']> = await use('restartInstance', {
      query: { instanceName },
    })
    return { instance: { instanceName: instance.name, status: restarted.instance.state } }
  },
})

export const setPresence = call({
  admission: 'updateSettings',
  status: 201,
  body: z.object({ presence: z.enum(['available', 'unavailable']) }),
  async handle(context, { body }) {
    await changeSettings(context, { alwaysOnline: body.presence === 'available' })
    return { presence: body.presence }
  },
})

const succeeded = (message: string) => ({ status: 'SUCCESS', error: false, response: { message } })

export const logout = call({
  admission: 'logoutInstance',
  status: 200,
  async handle({ use, instanceName }) {
    await use('logoutInstance', { query: { instanceName } })
    return succeeded('Instance logged out')
  },
})

/** The dialect logs a connected instance out first; this API wants both calls. */
export const deleteInstance = call({
  admission: 'deleteInstance',
  status: 200,
  async handle({ use, instanceName, instance, forgetName }) {
    const query = { instanceName }
    const state = await use('instanceState', { query })
    if (state.instance.number !== null) await use('logoutInstance', { query })
    await use('deleteInstance', { query })
    for (const name of [instance.name, instance.apiName]) forgetName(name)
    return succeeded('Instance deleted')
  },
})
