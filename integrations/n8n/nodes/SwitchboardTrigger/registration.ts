// The webhook of a trigger at the gateway: created when the workflow is activated, deleted when it is deactivated.
import type { IDataObject, IHookFunctions, IHttpRequestOptions } from 'n8n-workflow'
import { authenticated } from '../api.ts'

const PATH = '/api/v1/webhooks'
const NAME_LENGTH = 128

/** What is stored with the workflow. */
export interface Registration extends IDataObject {
  webhookId?: number
  secret?: string
}

const registrationOf = (node: IHookFunctions): Registration => node.getWorkflowStaticData('node')

function forget(registration: Registration): void {
  delete registration.webhookId
  delete registration.secret
}

/** Undefined: the gateway has no such webhook. */
async function unlessGone(
  node: IHookFunctions,
  options: IHttpRequestOptions,
): Promise<IDataObject | undefined> {
  const { statusCode, body } = await authenticated(node, options, { accepted: [200, 404] })
  return statusCode === 404 ? undefined : (body as IDataObject)
}

/** False also for a webhook that the gateway has disabled, or whose address is another one by now: it is saved again. */
export async function isRegistered(node: IHookFunctions): Promise<boolean> {
  const registration = registrationOf(node)
  if (registration.webhookId === undefined || registration.secret === undefined) return false
  const answer = await unlessGone(node, { method: 'GET', url: `${PATH}/${registration.webhookId}` })
  if (answer === undefined) {
    forget(registration)
    return false
  }
  const { url, enabled } = answer['webhook'] as { url: string; enabled: boolean }
  return enabled && url === node.getNodeWebhookUrl('default')
}

export async function createWebhook(node: IHookFunctions): Promise<boolean> {
  const registration = registrationOf(node)
  const { body } = await authenticated(node, {
    method: 'POST',
    url: PATH,
    body: {
      ...bodyOf(node),
      ...(registration.webhookId === undefined ? {} : { id: registration.webhookId }),
    },
  })
  const { id, secret } = (body as { webhook: { id: number; secret: string } }).webhook
  registration.webhookId = id
  registration.secret = secret
  return true
}

function bodyOf(node: IHookFunctions): IDataObject {
  const additional = node.getNodeParameter('additionalFields', {}) as IDataObject
  const { chats = 'all', from = [], history = false, instanceName } = additional
  const people = (from as string[]).filter((person) => person !== '')
  return {
    url: node.getNodeWebhookUrl('default'),
    name: `n8n: ${node.getWorkflow().name ?? node.getNode().name}`.slice(0, NAME_LENGTH),
    events: node.getNodeParameter('events'),
    instanceName: instanceName || null,
    filter: {
      chats,
      from: people.length === 0 ? null : people,
      directions: node.getNodeParameter('directions'),
    },
    history,
    enabled: true,
  }
}

export async function deleteWebhook(node: IHookFunctions): Promise<boolean> {
  const registration = registrationOf(node)
  if (registration.webhookId !== undefined)
    await unlessGone(node, { method: 'DELETE', url: `${PATH}/${registration.webhookId}` })
  forget(registration)
  return true
}
