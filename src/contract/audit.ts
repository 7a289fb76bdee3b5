// The audit list: which key did what.
import { z } from 'zod'
import { limit, page, pathId, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'

export const AuditEntry = z
  .object({
    id: z.int(),
    at: timestamp,
    keyId: z.int().meta({
      description:
        'Negative for what is not a key: the token of an instance in a dialect, or the address that Chatwoot posts to',
    }),
    keyName: z.string().nullable(),
    action: z.string().meta({ description: 'Method and path of the call, without values' }),
    instanceName: z.string().nullable().meta({ description: 'API name, if the request named an instance' }),
    chat: z.string().nullable().meta({ description: 'The chat or number, if the request named one' }),
    subject: z.string().nullable().meta({
      description: 'The id in the path, such as that of a message, or the `reference` of the request',
    }),
    status: z.int().meta({ description: 'HTTP status of the answer' }),
    reason: z.string().nullable().meta({ description: 'Why the call was refused; null if it was not' }),
  })
  .meta({
    id: 'AuditEntry',
    examples: [
      {
        id: 42,
        at: '2026-01-31T12:00:00.000Z',
        keyId: 7,
        keyName: 'Agent',
        action: 'POST /api/v1/send/text',
        instanceName: 'support-k3v9x2ma',
        chat: '5511912345678',
        subject: null,
        status: 403,
        reason: 'outside_walls',
      },
    ],
  })

export const listAudit = endpoint({
  tag: 'API keys',
  summary: 'List what keys did, newest first',
  description:
    'Every call that may change something, and every call that a key was denied, without texts and secrets. Entries are kept for 30 ' +
    'days, at most the latest 100,000 of an account. Keys with walls cannot read the list.',
  query: z.strictObject({
    keyId: pathId.optional().meta({ description: 'Only calls of this key' }),
    page,
    limit,
  }),
  answer: z.object({
    success,
    count: z.int(),
    page: z.int(),
    limit: z.int(),
    hasMore: z.boolean(),
    entries: z.array(AuditEntry),
  }),
  reasons: [],
})
