// The progress of the first run, derived from the data of the account.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { z } from 'zod'
import type { Event } from '../../../src/contract/events.ts'
import type { Instance as InstanceSchema } from '../../../src/contract/instances.ts'
import type { Message as MessageSchema } from '../../../src/contract/messages.ts'
import { api } from '../../gateway/api.ts'
import { live } from '../../gateway/live.ts'
import { instancesQuery, pollMs } from '../../gateway/queries.ts'
import { phonesQuery, type WorldPhone } from '../phones/sandbox-queries.ts'
import { makePhone, scanWithFreePhone } from '../phones/scan-phone.ts'

type Instance = z.output<typeof InstanceSchema>
type Message = z.output<typeof MessageSchema>
const ARRIVED = ['sent', 'delivered', 'read', 'played'] as const
const NOT_SENT: ReadonlySet<string> = new Set(['failed', 'scheduled', 'awaiting_approval'])
const EVENTS_SHOWN = '8'

const isArrived = ({ status }: Pick<Message, 'status'>): boolean => ARRIVED.some((one) => one === status)

const sentQuery = queryOptions({
  queryKey: ['messages', 'first-run'],
  async queryFn({ signal }): Promise<readonly Pick<Message, 'status'>[]> {
    const outgoing = { direction: 'outgoing' } as const
    const { messages, hasMore } = await api.listMessages({ query: { ...outgoing, limit: '100' } }, { signal })
    if (!hasMore || messages.some(isArrived)) return messages
    // The newest can all be scheduled or failed: one that has arrived is older.
    const earlier = await Promise.all(
      ARRIVED.map((status) => api.listMessages({ query: { ...outgoing, status, limit: '1' } }, { signal })),
    )
    return [...messages, ...earlier.flatMap((page) => page.messages)]
  },
  refetchInterval: pollMs,
})
/** Newest first. */
const eventsQuery = queryOptions({
  queryKey: ['events', 'first-run'],
  queryFn: ({ signal }) => api.listEvents({ query: { before: 'end', limit: EVENTS_SHOWN } }, { signal }),
  refetchInterval: pollMs,
})

export interface FirstRun {
  instance: Instance | undefined
  isOpen: boolean
  /** A message is being sent or was delivered. */
  isSent: boolean
  hasArrived: boolean
  events: readonly Event[]
  /** The number of finished steps. */
  done: number
}

/** Undefined while loading. */
export function useFirstRun(): FirstRun | undefined {
  const queries = useQueryClient()
  useEffect(
    () => live.onEvent(() => void queries.invalidateQueries({ queryKey: eventsQuery.queryKey })),
    [queries],
  )
  const instances = useQuery(instancesQuery).data?.instances
  const messages = useQuery(sentQuery).data
  const events = useQuery(eventsQuery).data?.events
  if (!instances || !messages || !events) return undefined
  const instance = instances.find(({ state }) => state === 'open') ?? instances[0]
  const hasArrived = messages.some(isArrived)
  const isOpen = instance?.state === 'open'
  const hasEvents = hasArrived && events.some(({ event }) => event.startsWith('messages.'))
  const steps = [instance !== undefined, isOpen, hasArrived, hasEvents]
  return {
    instance,
    isOpen,
    isSent: messages.some(({ status }) => !NOT_SENT.has(status)),
    hasArrived,
    events,
    done: steps.filter(Boolean).length,
  }
}

/** The phones of the first run: the one that scans, and the recipient. */
export function usePair(instance: Instance | undefined, isSandbox: boolean) {
  const phones = useQuery({ ...phonesQuery, enabled: isSandbox }).data?.phones ?? []
  const own = phones.find(({ number }) => number === instance?.number)
  const free = phones.filter(({ number, devices }) => number !== instance?.number && devices.length === 0)
  return { own, free }
}

/** Creates missing phones and lets the first one scan the QR code of the instance. */
export async function scanWithPhone(
  instanceName: string,
  free: readonly WorldPhone[],
  names: { own: string; friend: string },
): Promise<void> {
  await scanWithFreePhone(instanceName, names.own)
  if (free.length < 2) await makePhone(names.friend)
}
