// The node that starts a workflow for each event. It registers a webhook at the gateway, and accepts only what that webhook has signed.
import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow'
import { NodeConnectionTypes } from 'n8n-workflow'
import { EVENT_NAMES } from '../Switchboard/generated/rows.ts'
import { deliveredEvents, verifyDelivery } from './generated/verify-delivery.ts'
import { createWebhook, deleteWebhook, isRegistered, type Registration } from './registration.ts'

/** Sent by the test button of the dashboard. It proves the way to here and is not an event of a workflow. */
const TEST_EVENT = 'webhook.test'

export class SwitchboardTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Switchboard Trigger',
    name: 'switchboardTrigger',
    icon: { light: 'file:../../icons/switchboard.svg', dark: 'file:../../icons/switchboard.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when the Switchboard gateway reports an event',
    defaults: { name: 'Switchboard Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'switchboardApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: ['*', ...EVENT_NAMES].map((value) => ({ name: value === '*' ? 'All' : value, value })),
        required: true,
        default: ['messages.upsert'],
        description: 'The events that start the workflow',
      },
      {
        displayName: 'Directions',
        name: 'directions',
        type: 'multiOptions',
        options: [
          { name: 'Received Messages', value: 'incoming' },
          { name: 'Sent Messages', value: 'outgoing' },
        ],
        required: true,
        default: ['incoming'],
        description:
          'Which messages start the workflow. A workflow that answers and is also started by sent messages answers itself.',
      },
      {
        displayName: 'Additional Fields',
        name: 'additionalFields',
        type: 'collection',
        placeholder: 'Add Field',
        default: {},
        options: [
          {
            displayName: 'Chats',
            name: 'chats',
            type: 'options',
            options: [
              { name: 'All', value: 'all' },
              { name: 'Groups', value: 'groups' },
              { name: 'People', value: 'people' },
            ],
            default: 'all',
            description: 'Only events of chats with people, or of groups',
          },
          {
            displayName: 'From',
            name: 'from',
            type: 'string',
            typeOptions: { multipleValues: true },
            default: [],
            description: 'Only events that these people have caused: phone numbers with country code',
          },
          {
            displayName: 'History',
            name: 'history',
            type: 'boolean',
            default: false,
            description: 'Whether messages from the history of a newly linked phone start the workflow',
          },
          {
            displayName: 'Instance Name',
            name: 'instanceName',
            type: 'string',
            default: '',
            description: 'Only events of this instance, by its API name',
          },
        ],
      },
    ],
  }

  webhookMethods = {
    default: {
      checkExists(this: IHookFunctions): Promise<boolean> {
        return isRegistered(this)
      },
      create(this: IHookFunctions): Promise<boolean> {
        return createWebhook(this)
      },
      delete(this: IHookFunctions): Promise<boolean> {
        return deleteWebhook(this)
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret = '' } = this.getWorkflowStaticData('node') as Registration
    const { rawBody: body } = this.getRequestObject()
    const headers = this.getHeaderData() as Record<string, string | undefined>
    if (!Buffer.isBuffer(body) || !(await verifyDelivery({ headers, body: Uint8Array.from(body), secret }))) {
      this.getResponseObject().status(401).json({ error: 'The signature is not valid.' })
      return { noWebhookResponse: true }
    }
    const events = deliveredEvents(Uint8Array.from(body)).filter(({ event }) => event !== TEST_EVENT)
    if (events.length === 0) return { webhookResponse: 'OK' }
    return { workflowData: [this.helpers.returnJsonArray(events as unknown as IDataObject[])] }
  }
}
