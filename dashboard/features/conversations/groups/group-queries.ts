// One group as the network has it, its invite link and the requests to join it. Events of groups invalidate all of them.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Group as GroupSchema } from '../../../../src/contract/contacts.ts'
import { api } from '../../../gateway/api.ts'

export type ListedGroup = z.output<typeof GroupSchema>

/** A group of an instance. */
export interface GroupReference {
  instanceName: string
  groupJid: string
}

/** Requests to join cause no event. */
const REQUESTS_POLL_MS = 10_000

export const inputOf = ({ instanceName, groupJid }: GroupReference) => ({
  params: { groupJid },
  query: { instanceName },
})
const keyOf = ({ instanceName, groupJid }: GroupReference) => ['groups', instanceName, groupJid]

export const groupQuery = (reference: GroupReference) =>
  queryOptions({
    queryKey: [...keyOf(reference), 'group'],
    queryFn: async ({ signal }) => (await api.getGroup(inputOf(reference), { signal })).group,
    retry: false,
  })

export const inviteQuery = (reference: GroupReference) =>
  queryOptions({
    queryKey: [...keyOf(reference), 'invite'],
    queryFn: ({ signal }) => api.getGroupInvite(inputOf(reference), { signal }),
    retry: false,
  })

export const requestsQuery = (reference: GroupReference) =>
  queryOptions({
    queryKey: [...keyOf(reference), 'requests'],
    queryFn: async ({ signal }) => (await api.listJoinRequests(inputOf(reference), { signal })).requests,
    refetchInterval: REQUESTS_POLL_MS,
    retry: false,
  })

/** Shows the group as an answer has it, and reads everything else about groups again. */
export function keepGroup(
  queries: QueryClient,
  reference: GroupReference,
  group: ListedGroup | undefined,
): void {
  if (group) queries.setQueryData(groupQuery(reference).queryKey, group)
  void queries.invalidateQueries({ queryKey: ['groups', reference.instanceName] })
}
