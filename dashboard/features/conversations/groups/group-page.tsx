// The page of one group: settings, members, invite link, requests to join.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { api } from '../../../gateway/api.ts'
import { instancesQuery } from '../../../gateway/queries.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Loaded, PageHead } from '../../../ui/page-head.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { addressOfPlace } from '../chat-address.ts'
import { GroupInvite } from './group-invite.tsx'
import { GroupMembers } from './group-members.tsx'
import { type Group, type GroupPlace, groupQuery, inputOf, keepGroup } from './group-queries.ts'
import { GroupRequests } from './group-requests.tsx'
import { GroupAbout, GroupRules } from './group-settings.tsx'
import { groupTexts } from './texts/group-texts.ts'

export function GroupPage() {
  const t = useTexts(groupTexts)
  const search = new URLSearchParams(useSearch())
  const place = { instanceName: search.get('instance') ?? '', groupJid: search.get('group') ?? '' }
  const query = useQuery(groupQuery(place))
  const { instanceName, groupJid: chat } = place
  const conversation = addressOfPlace({ instanceName, open: { instanceName, chat } })
  return (
    <>
      <Link className="small" href={conversation}>
        ← {t.back}
      </Link>
      {query.data ? null : <PageHead title={t.title} />}
      <Loaded query={query}>
        {(group) => (
          <GroupView key={group.groupJid} group={group} place={place} conversation={conversation} />
        )}
      </Loaded>
    </>
  )
}

interface ViewProps {
  group: Group
  place: GroupPlace
  /** The address of the conversation. */
  conversation: string
}

function GroupView({ group, place, conversation }: ViewProps) {
  const t = useTexts(groupTexts)
  const [isLeaving, setLeaving] = useState(false)
  const { data } = useQuery(instancesQuery)
  const instance = data?.instances.find(({ apiInstanceName }) => apiInstanceName === place.instanceName)
  return (
    <>
      <PageHead
        title={group.subject}
        lead={[t.members(group.size), instance?.displayName].filter(Boolean).join(' · ')}
        actions={
          <>
            <ButtonLink href={conversation}>{t.openChat}</ButtonLink>
            <Button kind="danger" onClick={() => setLeaving(true)}>
              {t.leave}
            </Button>
          </>
        }
      />
      {group.isAdmin ? null : <div className="note">{t.notAdmin}</div>}
      <div className="grid">
        <GroupAbout group={group} place={place} />
        <GroupRules group={group} place={place} />
        {group.isAdmin ? <GroupInvite place={place} /> : null}
        {group.isAdmin ? <GroupRequests place={place} /> : null}
      </div>
      <GroupMembers group={group} place={place} own={instance?.number ?? null} />
      {isLeaving ? <LeaveDialog group={group} place={place} onClose={() => setLeaving(false)} /> : null}
    </>
  )
}

function LeaveDialog({ group, place, onClose }: Omit<ViewProps, 'conversation'> & { onClose(): void }) {
  const t = useTexts(groupTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [, go] = useLocation()
  const leave = useMutation({
    mutationFn: () => api.leaveGroup(inputOf(place)),
    onSuccess() {
      toasts.done(t.left(group.subject))
      go(addressOfPlace({ instanceName: place.instanceName, open: undefined }))
      keepGroup(queries, place, undefined)
    },
  })
  return (
    <ConfirmDialog
      title={t.leaveTitle(group.subject)}
      text={t.leaveText}
      action={t.leave}
      work={leave}
      onClose={onClose}
    />
  )
}
