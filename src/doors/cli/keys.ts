// `keys`: the API keys of your account, or of any account with the operator key.
import type { z } from 'zod'
import type { ApiKey } from '../../contract/account.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { SCOPES, type Scope } from '../../contract/scopes.ts'
import { WROTE_FIRST } from '../../contract/wall-values.ts'
import { command, type Output, parseWholeNumber, SERVER_OPTIONS } from './command.ts'
import { record, table } from './print.ts'
import { UsageError } from './usage-error.ts'

type Key = z.output<typeof ApiKey>

const options = {
  ...SERVER_OPTIONS,
  account: {
    type: 'string',
    value: 'ID',
    help: 'Keys of this account, with the operator key; default: your own account',
  },
} as const

const fieldsOf = (key: Key) => {
  const { id, name, hint, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  return {
    id,
    name,
    key: hint,
    scopes: scopes.length === 0 ? 'all' : scopes,
    walls: wallsOf(key),
    created: createdAt,
    expires: expiresAt,
    revoked: revokedAt,
    'last used': lastUsedAt,
  }
}

/** In few words; the JSON output has the fields. */
function wallsOf({ instances, chats, messagesPerDay, approval, approvalOnPhone }: Key): string[] | 'none' {
  const walls = [
    ...(instances ?? []).map((name) => `instance ${name}`),
    ...(chats === null ? [] : [chats].flat().map((chat) => `chat ${chat}`)),
    ...(messagesPerDay === null ? [] : [`${messagesPerDay} messages per day`]),
    ...(approval ? [approvalOnPhone ? 'approval on the phone' : 'approval'] : []),
  ]
  return walls.length === 0 ? 'none' : walls
}

const shownOnce = (answer: { apiKey: Key; key: string }): Output => ({
  json: answer,
  text: `${record(fieldsOf(answer.apiKey))}\n\nThe API key. It is shown only once:\n\n  ${answer.key}`,
})

export const keyCommands = [
  command({
    name: 'keys list',
    summary: 'List API keys',
    parameters: [],
    options,
    async run(context, { account }) {
      const answer =
        account === undefined
          ? await (await context.account()).listApiKeys()
          : await (await context.operator()).adminListKeys({ params: { id: account } })
      const columns = ['id', 'name', 'key', 'scopes', 'walls', 'created', 'expires', 'revoked', 'last used']
      return {
        json: answer,
        text: table(
          columns,
          answer.apiKeys.map((key) => Object.values(fieldsOf(key))),
        ),
      }
    },
  }),
  command({
    name: 'keys create',
    summary: 'Create an API key and show it (only once)',
    parameters: ['NAME'],
    options: {
      ...options,
      scope: {
        type: 'string',
        value: 'SCOPE',
        multiple: true,
        help: `One of ${SCOPES.join(', ')}; default: all scopes`,
      },
      instance: {
        type: 'string',
        value: 'NAME',
        multiple: true,
        help: 'API name of an instance that the key can use; default: all instances',
      },
      chat: {
        type: 'string',
        value: 'CHAT',
        multiple: true,
        help: `A chat that the key can use, as events name it, or ${WROTE_FIRST}; default: all chats`,
      },
      'messages-per-day': {
        type: 'string',
        value: 'N',
        help: 'How many sends of the key are accepted per day; default: no limit',
      },
      approval: { type: 'boolean', help: 'Each send of the key waits until a person approves it' },
      'approval-on-phone': {
        type: 'boolean',
        help: 'With --approval: the owner is asked in the chat of the instance with itself',
      },
      'expires-at': {
        type: 'string',
        value: 'TIME',
        help: 'When the key expires, such as 2026-01-31T12:00:00Z; default: never',
      },
    },
    async run(context, values, [name]) {
      const scopes = values.scope?.map(requireScope)
      const perDay = values['messages-per-day']
      const walls = {
        instances: values.instance,
        chats: values.chat?.length === 1 && values.chat[0] === WROTE_FIRST ? WROTE_FIRST : values.chat,
        messagesPerDay: perDay === undefined ? undefined : parseWholeNumber('messages-per-day', perDay),
        approval: values.approval,
        approvalOnPhone: values['approval-on-phone'],
      } as const
      const body = { name, ...omitUndefined({ scopes, expiresAt: values['expires-at'], ...walls }) }
      return shownOnce(
        values.account === undefined
          ? await (await context.account()).createApiKey({ body })
          : await (await context.operator()).adminCreateKey({ params: { id: values.account }, body }),
      )
    },
  }),
  command({
    name: 'keys rotate',
    summary: 'Replace an API key and show the new one (only once)',
    parameters: ['ID'],
    options: {
      ...options,
      'overlap-hours': {
        type: 'string',
        value: 'N',
        help: 'Hours the old key stays valid, 0 to 168; default: 24',
      },
    },
    async run(context, values, [id]) {
      const hours = values['overlap-hours']
      const body = hours === undefined ? {} : { overlapHours: parseWholeNumber('overlap-hours', hours) }
      return shownOnce(
        values.account === undefined
          ? await (await context.account()).rotateApiKey({ params: { id }, body })
          : await (await context.operator()).adminRotateKey({
              params: { id: values.account, keyId: id },
              body,
            }),
      )
    },
  }),
  command({
    name: 'keys audit',
    summary: 'List which key did what, newest first',
    parameters: [],
    options: {
      ...SERVER_OPTIONS,
      key: { type: 'string', value: 'ID', help: 'Only calls of the API key with this id' },
      limit: { type: 'string', value: 'N', help: 'How many calls, 1 to 100; default: 50' },
    },
    async run(context, { key, limit }) {
      const query = omitUndefined({ keyId: key, limit })
      const answer = await (await context.account()).listAudit({ query })
      const columns = ['at', 'key', 'action', 'instance', 'chat', 'subject', 'status', 'reason']
      const rows = answer.entries.map((entry) => [
        entry.at,
        entry.keyName ?? entry.keyId,
        entry.action,
        entry.instanceName,
        entry.chat,
        entry.subject,
        entry.status,
        entry.reason,
      ])
      return { json: answer, text: table(columns, rows) }
    },
  }),
  command({
    name: 'keys revoke',
    summary: 'Revoke an API key; takes effect within a second',
    parameters: ['ID'],
    options,
    async run(context, { account }, [id]) {
      const answer =
        account === undefined
          ? await (await context.account()).revokeApiKey({ params: { id } })
          : await (await context.operator()).adminRevokeKey({ params: { id: account, keyId: id } })
      return { json: answer, text: record(fieldsOf(answer.apiKey)) }
    },
  }),
]

function requireScope(text: string): Scope {
  const scope = SCOPES.find((known) => known === text)
  if (scope === undefined) throw new UsageError(`--scope: expected one of ${SCOPES.join(', ')}`)
  return scope
}
