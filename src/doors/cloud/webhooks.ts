// The webhook of an instance, as clients of the dialect set it: one webhook of this API, whose format is `cloud`.
import { z } from 'zod'
import type { Webhook } from '../../contract/webhooks.ts'
import { type CloudContext, call, optionalText } from './call.ts'
import { CloudError } from './errors.ts'

type Saved = z.output<typeof Webhook>

async function findOwn({ use, id }: CloudContext): Promise<Saved[]> {
  const { webhooks } = await use('listWebhooks', { query: { instanceName: id } })
  return webhooks.filter(({ format }) => format === 'cloud')
}

interface Callback {
  override_callback_uri?: string | null | undefined
  verify_token?: string | null | undefined
}

/** In the original, a call without a URL subscribes the URL of the app's console. Here there is none: one must be set already. */
async function subscribe(
  context: CloudContext,
  { override_callback_uri: url, verify_token: token }: Callback,
) {
  const [known] = await findOwn(context)
  if (!url) {
    if (known) return { success: true }
    throw new CloudError(
      400,
      131008,
      'override_callback_uri: required, because no webhook of the format cloud is set for this number',
    )
  }
  if (!token) throw new CloudError(400, 131008, 'verify_token: required with override_callback_uri')
  await context.use('saveWebhook', {
    body: {
      ...(known ? { id: known.id } : { instanceName: context.id, name: 'Cloud API' }),
      url,
      format: 'cloud',
      verifyToken: token,
      enabled: true,
    },
  })
  return { success: true }
}

const callback = { override_callback_uri: optionalText, verify_token: optionalText }
const FIELDS = { url: 'override_callback_uri', verifyToken: 'verify_token' }

export const postSubscription = call({
  admission: 'saveWebhook',
  body: z.object(callback),
  fields: FIELDS,
  handle: (context, { body }) => subscribe(context, body),
})

/** `POST /{id}` with `webhook_configuration` is the same for a number. An empty URL removes it. */
export const postNumber = call({
  admission: 'saveWebhook',
  body: z.object({ webhook_configuration: z.object(callback) }),
  fields: {
    url: 'webhook_configuration.override_callback_uri',
    verifyToken: 'webhook_configuration.verify_token',
  },
  handle: (context, { body }) =>
    body.webhook_configuration.override_callback_uri === ''
      ? unsubscribe(context)
      : subscribe(context, body.webhook_configuration),
})

export const getSubscriptions = call({
  admission: 'listWebhooks',
  handle: async (context) => ({
    data: (await findOwn(context)).map(({ id, name, url }) => ({
      whatsapp_business_api_data: { id: String(id), name },
      override_callback_uri: url,
    })),
  }),
})

async function unsubscribe(context: CloudContext) {
  for (const { id } of await findOwn(context))
    await context.use('deleteWebhook', { params: { id: String(id) } })
  return { success: true }
}

export const deleteSubscription = call({ admission: 'deleteWebhook', handle: unsubscribe })
