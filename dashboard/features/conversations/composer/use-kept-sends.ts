// The messages that this browser keeps: they are sent when the connection is back, also from another page.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { api } from '../../../gateway/api.ts'
import { live } from '../../../gateway/live.ts'
import { useAccount } from '../../../gateway/sign-in.ts'
import type { OpenChat } from '../model/chat-address.ts'
import { rereadConversation } from '../model/conversation-queries.ts'
import { createKeptSends, type KeptSend, type KeptSends } from './kept-sends.ts'

type Send = (input: { body: unknown }, options: { idempotencyKey: string }) => Promise<unknown>

export const keptSends: KeptSends = createKeptSends({
  storage: localStorage,
  call: ({ route, body, key }) => (api[route] as unknown as Send)({ body }, { idempotencyKey: key }),
  now: Date.now,
  // Not `randomUUID`, which a page without https does not have.
  newKey: () =>
    [...crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(''),
})

const RETRY_MS = 15_000
let started: number | undefined

/** Once for each account: what it keeps is sent now, and whenever the gateway answers again. */
export function startKeptSends(accountId: number): void {
  if (started === accountId) return
  const isFirst = started === undefined
  started = accountId
  void keptSends.open(accountId)
  if (!isFirst) return
  const flush = () => void keptSends.flush()
  live.onState(() => {
    if (live.state() === 'live') flush()
  })
  globalThis.addEventListener('online', flush)
  // Another tab has kept or sent one.
  globalThis.addEventListener('storage', () => {
    if (started !== undefined) void keptSends.open(started)
  })
  setInterval(() => {
    if (keptSends.list().length > 0 && live.state() !== 'off') flush()
  }, RETRY_MS)
}

/** Those of the open chat. */
export function useKeptSends(open: OpenChat): readonly KeptSend[] {
  const queries = useQueryClient()
  const accountId = useAccount().data?.account.id
  useEffect(() => {
    if (accountId !== undefined) startKeptSends(accountId)
  }, [accountId])
  const all = useSyncExternalStore(keptSends.onChange, keptSends.list)
  const own = useMemo(
    () => all.filter(({ instanceName, chat }) => instanceName === open.instanceName && chat === open.chat),
    [all, open],
  )
  useEffect(() => {
    let count = 0
    return keptSends.onChange(() => {
      // One that was sent is a message of the conversation now.
      if (keptSends.list().length < count) void rereadConversation(queries, open)
      count = keptSends.list().length
    })
  }, [queries, open])
  return own
}
