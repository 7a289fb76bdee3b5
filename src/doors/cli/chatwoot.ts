// `chatwoot`: connections of instances with inboxes of the help desk Chatwoot.
import type { z } from 'zod'
import type { ChatwootBridge } from '../../contract/chatwoot.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { command, parseWholeNumber, SERVER_OPTIONS } from './command.ts'
import { record } from './print.ts'

const NAME = 'API_NAME'

const fieldsOf = (bridge: z.output<typeof ChatwootBridge>) => ({
  instance: bridge.instance.apiInstanceName,
  url: bridge.url,
  'account id': bridge.accountId,
  inbox: `${bridge.inboxName} (${bridge.inboxId})`,
  enabled: bridge.enabled,
  'signed posts': bridge.isSigned,
  'gateway url': bridge.gatewayUrl,
  'sign agent names': bridge.signAgentNames,
  'ignore groups': bridge.ignoreGroups,
  'reopen conversation': bridge.reopenConversation,
  'conversation pending': bridge.conversationPending,
  'webhook id': bridge.webhookId,
  'failing since': bridge.failingSince,
})

const wholeNumber = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseWholeNumber(name, text)

const connect = command({
  name: 'chatwoot connect',
  summary: 'Connect an instance with an inbox of Chatwoot, or change the connection',
  parameters: [NAME],
  options: {
    ...SERVER_OPTIONS,
    'chatwoot-url': { type: 'string', value: 'URL', help: 'HTTPS URL of Chatwoot', required: true },
    'chatwoot-account': { type: 'string', value: 'ID', help: 'Account in Chatwoot', required: true },
    'token-file': {
      type: 'string',
      value: 'FILE',
      help: 'File with the access token of an administrator; - reads standard input. Omitted: unchanged',
    },
    inbox: { type: 'string', value: 'NAME', help: 'Name of the API inbox; default: that of the instance' },
    'inbox-id': { type: 'string', value: 'ID', help: 'An existing API inbox, in place of its name' },
    'gateway-url': {
      type: 'string',
      value: 'URL',
      help: 'How Chatwoot reaches this gateway; default: PUBLIC_URL',
    },
    'sign-names': { type: 'boolean', help: 'Put the name of the agent before each text' },
    'ignore-groups': { type: 'boolean', help: 'Leave groups out' },
    'new-conversations': {
      type: 'boolean',
      help: 'Begin a new conversation after one was resolved, instead of continuing it',
    },
    pending: { type: 'boolean', help: 'New conversations are pending, for a bot to answer first' },
    disable: { type: 'boolean', help: 'Deliveries wait, and posts of Chatwoot are refused' },
  },
  async run(context, values, [instanceName]) {
    const file = values['token-file']
    const token = file === undefined ? undefined : (await context.read(file)).trim()
    const accountId = parseWholeNumber('chatwoot-account', values['chatwoot-account'])
    const settings = omitUndefined({
      token,
      inboxName: values.inbox,
      inboxId: wholeNumber('inbox-id', values['inbox-id']),
      gatewayUrl: values['gateway-url'],
      signAgentNames: values['sign-names'],
      ignoreGroups: values['ignore-groups'],
      reopenConversation: values['new-conversations'] === true ? false : undefined,
      conversationPending: values.pending,
      enabled: values.disable === true ? false : undefined,
    })
    const body = { url: values['chatwoot-url'], accountId, ...settings }
    const answer = await (await context.account()).saveChatwoot({ params: { instanceName }, body })
    return { json: answer, text: record(fieldsOf(answer.bridge)) }
  },
})

const show = command({
  name: 'chatwoot show',
  summary: 'Show the connection of an instance with Chatwoot',
  parameters: [NAME],
  options: SERVER_OPTIONS,
  async run(context, _values, [instanceName]) {
    const answer = await (await context.account()).getChatwoot({ params: { instanceName } })
    return { json: answer, text: record(fieldsOf(answer.bridge)) }
  },
})

const disconnect = command({
  name: 'chatwoot disconnect',
  summary: 'Remove the connection; inbox and conversations stay in Chatwoot',
  parameters: [NAME],
  options: SERVER_OPTIONS,
  async run(context, _values, [instanceName]) {
    const answer = await (await context.account()).deleteChatwoot({ params: { instanceName } })
    return { json: answer, text: `${instanceName} is not connected with Chatwoot any more.` }
  },
})

const history = command({
  name: 'chatwoot history',
  summary: 'Hand stored messages over to Chatwoot, oldest first',
  parameters: [NAME],
  options: {
    ...SERVER_OPTIONS,
    days: { type: 'string', value: 'N', help: 'Messages of the last N days; default: 30' },
    number: { type: 'string', value: 'NUMBER', help: 'Only those of this person' },
  },
  async run(context, { days, number }, [instanceName]) {
    const client = await context.account()
    const wanted = omitUndefined({ days: wholeNumber('days', days), number })
    let pushed = 0
    for (let cursor: string | undefined; ; ) {
      const body = omitUndefined({ ...wanted, cursor })
      const answer = await client.pushChatwootHistory({ params: { instanceName }, body })
      pushed += answer.pushed
      const { next, failure } = answer
      if (next === null || failure !== null) {
        const text = `${pushed} messages are in Chatwoot.${failure === null ? '' : ` Ended early: ${failure}`}`
        return { json: { ...answer, pushed }, text, hasProblems: failure !== null }
      }
      cursor = next
    }
  },
})

export const chatwootCommands = [connect, show, disconnect, history]
