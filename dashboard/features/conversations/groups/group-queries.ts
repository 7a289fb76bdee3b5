// One group as the network has it, its invite link and the requests to join it. Events of groups invalidate all of them.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Group as GroupSchema } from '../../../../src/contract/contacts.ts'
import { api } from '../../../gateway/api.ts'

export type Group = z.output<typeof GroupSchema>

/** A group of an instance. */
export interface GroupPlace {
  instanceName: string
  groupJid: string
}

/** Requests to join cause no event. */
const REQUESTS_POLL_MS = 10_000

export const inputOf = ({ instanceName, groupJid }: GroupPlace) => ({
  params: { groupJid },
  query: { instanceName },
})
const keyOf = ({ instanceName, groupJid }: GroupPlace) => ['groups', instanceName, groupJid]

export const groupQuery = (place: GroupPlace) =>
  queryOptions({
    queryKey: [...keyOf(place), 'group'],
    queryFn: async ({ signal }) => (await api.getGroup(inputOf(place), { signal })).group,
    retry: false,
  })

export const inviteQuery = (place: GroupPlace) =>
  queryOptions({
    queryKey: [...keyOf(place), 'invite'],
    queryFn: ({ signal }) => api.getGroupInvite(inputOf(place), { signal }),
    retry: false,
  })

export const requestsQuery = (place: GroupPlace) =>
  queryOptions({
    queryKey: [...keyOf(place), 'requests'],
    queryFn: async ({ signal }) => (await api.listJoinRequests(inputOf(place), { signal })).requests,
    refetchInterval: REQUESTS_POLL_MS,
    retry: false,
  })

/** Shows the group as an answer has it, and reads everything else about groups again. */
export function keepGroup(queries: QueryClient, place: GroupPlace, group: Group | undefined): void {
  if (group) queries.setQueryData(groupQuery(place).queryKey, group)
  void queries.invalidateQueries({ queryKey: ['groups', place.instanceName] })
}
