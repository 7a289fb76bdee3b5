// Stored messages for Chatwoot on request: oldest first, each once, a page per call.
import type { z } from 'zod'
import { formsOf } from '../../chats/chat-reports.ts'
import { chatOf, hasAddress } from '../../chats/rules-chat-address.ts'
import { chatIds } from '../../chats/rules-chat-ids.ts'
import { findNames, type NamesOf } from '../../contacts/name-queries.ts'
import type { ChatwootHistory, HistoryBody } from '../../contract/chatwoot.ts'
import type { Direction } from '../../contract/messages.ts'
import { textOf } from '../../events/rules-payloads.ts'
import { iso } from '../../kernel/time.ts'
import { isDeleted } from '../../messages/deleted-messages.ts'
import { positionOf } from '../../messages/list-order-queries.ts'
import type { MessageRow } from '../../messages/message-queries.ts'
import { SILENT } from '../../messages/silent-types.ts'
import type { Db } from '../../store/tables.ts'
import { ChatwootError } from './api.ts'
import type { BridgedMessage } from './messages.ts'
import type { Bridge } from './options.ts'
import type { Outward } from './outward.ts'
import { listMessagesAfter } from './queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The answer must come before clients and proxies give up. */
const CALL_MS = 20_000

export async function pushHistory(
  parts: { db: Db; clock(): number; push: Outward['push'] },
  bridge: Bridge,
  body: z.output<typeof HistoryBody>,
  signal: AbortSignal,
): Promise<z.output<typeof ChatwootHistory>> {
  const { db, clock } = parts
  const startedAt = clock()
  const { instanceId } = bridge
  const [at, rowId] = body.cursor?.split(':').map(Number) ?? []
  const found = await listMessagesAfter(db, {
    instanceId,
    chats: hasAddress(body) ? await formsOf(db, instanceId, chatOf(body)) : undefined,
    since: startedAt - body.days * DAY_MS,
    after: at === undefined || rowId === undefined ? null : { at, rowId },
    silent: SILENT,
    limit: body.limit,
  })
  const namesOf = await findNames(
    db,
    found.map((row) => ({ instanceId, chat: row.chat })),
  )
  let pushed = 0
  let next = body.cursor ?? null
  for (const row of found) {
    if (clock() - startedAt > CALL_MS || signal.aborted) return { pushed, next, failure: null }
    if (!(await isDeleted(db, row))) {
      const failure = await pushOne(parts.push, bridge, row, namesOf, signal)
      if (failure !== null) return { pushed, next, failure }
      pushed += 1
    }
    const position = positionOf(row)
    next = `${position.at}:${position.rowId ?? 0}`
  }
  return { pushed, next: found.length < body.limit ? null : next, failure: null }
}

/** Null: it is there. */
async function pushOne(
  push: Outward['push'],
  bridge: Bridge,
  row: MessageRow,
  namesOf: NamesOf,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await push(bridge, storedUpsert(row, namesOf), row.api_name, signal)
    return null
  } catch (error) {
    if (error instanceof ChatwootError) return error.message
    throw error
  }
}

type Stored = Partial<Pick<BridgedMessage, 'from' | 'quoted'>> & { media?: BridgedMessage['media'] } & Record<
    string,
    unknown
  >

/** A stored message as the event about it has described it. */
function storedUpsert(row: MessageRow, namesOf: NamesOf): BridgedMessage {
  const content = JSON.parse(row.content) as Stored
  const { from, media, quoted } = content
  const ids = chatIds(row.chat, namesOf({ instanceId: row.instance_id, chat: row.chat }))
  return {
    messageId: row.id,
    ...ids,
    direction: row.direction as Direction,
    from: from ?? { jid: row.chat, lid: null, phone: null, pushName: null },
    type: row.kind as BridgedMessage['type'],
    text: textOf(content),
    media: media ? { ...media, downloadPath: row.media_reference === null ? null : row.id } : null,
    quoted: quoted ?? null,
    interactiveReplyId: null,
    content: content as BridgedMessage['content'],
    status: null,
    sentAt: iso(row.created_at),
  }
}
