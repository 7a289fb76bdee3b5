// The audit list of an account: which requests are noted, how they are written, and how they are read.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../context.ts'
import { hasWalls } from '../contract/wall-values.ts'
import { type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { iso } from '../kernel/time.ts'
import * as rows from './audit-queries.ts'
import type { Caller, Credential } from './caller.ts'
import { auditedName, isAudited } from './rules.ts'

// The audit list of an account.

export async function listAudit(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  query: PageQuery & { keyId?: number | undefined },
) {
  const found = await rows.listAudit(store.db, {
    accountId: caller.account.id,
    keyId: query.keyId,
    ...rowsToRead(query),
  })
  return page(found.map(toEntry), query)
}

const toEntry = (row: rows.AuditRow) => ({
  id: row.id,
  at: iso(row.at),
  keyId: row.key_id,
  keyName: row.key_name,
  action: row.action,
  instanceName: row.instance,
  chat: row.chat,
  subject: row.subject,
  status: row.status,
  reason: row.reason,
})

// The audit list as it is written: collected in memory and stored every second, so that a request costs no write of its own.

const FLUSH_MS = 1000
/** A key in a loop must not fill the memory. What is dropped is counted in the log. */
const MAX_WAITING = 5000

interface AuditLog<Entry> {
  note(entry: Entry): void
  /** Stores what was noted so far. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export function createAuditLog<Entry>(
  write: (entries: Entry[]) => Promise<void>,
  onError: (error: unknown, lost: number) => void,
): AuditLog<Entry> {
  let waiting: Entry[] = []
  let dropped = 0
  let writing = Promise.resolve()

  async function writeAll(): Promise<void> {
    const [entries, lost] = [waiting, dropped]
    waiting = []
    dropped = 0
    if (lost > 0) onError(undefined, lost)
    if (entries.length > 0) await write(entries).catch((error: unknown) => onError(error, entries.length))
  }
  /** One write at a time, so that the list keeps its order. */
  const flush = () => (writing = writing.then(writeAll))
  const timer = setInterval(() => void flush(), FLUSH_MS).unref()
  return {
    note(entry) {
      if (waiting.length < MAX_WAITING) waiting.push(entry)
      else dropped += 1
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

// Notes each request of a key that belongs into the audit list, when it is answered.

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused; undefined: it was not, or by a dialect. */
    refusedAs: string | undefined
  }
}

export interface NotedCall {
  account_id: number
  key_id: number
  at: number
  action: string
  instance: string | null
  chat: string | null
  subject: string | null
  status: number
  reason: string | null
}

export type NoteCall = (call: NotedCall) => void

export function addAudit(app: FastifyInstance, clock: () => number, note: NoteCall): void {
  app.decorateRequest('refusedAs', undefined)
  app.addHook('onResponse', async (request, reply) => {
    const call = calledBy(request, reply, clock)
    if (call) note(call)
  })
}

function calledBy(request: FastifyRequest, reply: FastifyReply, clock: () => number): NotedCall | undefined {
  const { caller, method } = request
  const status = reply.statusCode
  if (!caller || !isAudited({ method, status, isWalled: hasWalls(caller.walls) })) return undefined
  return {
    account_id: caller.account.id,
    key_id: auditedId(caller.credential),
    at: clock(),
    action: `${method} ${(request.routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}')}`,
    ...targetOf(request),
    status,
    reason: request.refusedAs ?? null,
  }
}

/** Negative for what is not a key of the account: the action then says which dialect the call was made in. */
const auditedId = ({ kind, id }: Credential): number => (kind === 'api_key' ? id : -id)

/** The names in a request, which may not have been parsed. A body that is a stream has none. */
function targetOf({ params, query, body }: FastifyRequest) {
  const given = (part: unknown) => (typeof part === 'object' && part !== null ? part : {})
  const fields = { ...given(params), ...given(query), ...given(body) } as Record<string, unknown>
  const path = given(params) as Record<string, unknown>
  return {
    instance: auditedName(fields.instanceName ?? fields.instance),
    chat: auditedName(fields.chat ?? fields.groupJid ?? fields.number ?? fields.remoteJid ?? fields.phone),
    subject: auditedName(path.messageId ?? path.deliveryId ?? path.id ?? path.callId ?? fields.reference),
  }
}
