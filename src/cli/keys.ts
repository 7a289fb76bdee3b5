// `keys`: the API keys of your account, or of any account with the operator key.
import type { z } from 'zod'
import type { ApiKey } from '../contract/account.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { SCOPES, type Scope } from '../contract/route.ts'
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

const fieldsOf = ({ id, name, hint, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: Key) => ({
  id,
  name,
  key: hint,
  scopes: scopes.length === 0 ? 'all' : scopes,
  created: createdAt,
  expires: expiresAt,
  revoked: revokedAt,
  'last used': lastUsedAt,
})

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
      const columns = ['id', 'name', 'key', 'scopes', 'created', 'expires', 'revoked', 'last used']
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
      'expires-at': {
        type: 'string',
        value: 'TIME',
        help: 'When the key expires, such as 2026-01-31T12:00:00Z; default: never',
      },
    },
    async run(context, values, [name]) {
      const scopes = values.scope?.map(requireScope)
      const body = { name, ...omitUndefined({ scopes, expiresAt: values['expires-at'] }) }
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
