// The page of one group: settings, members, invite link, requests to join.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { api } from '../../../gateway/api.ts'
import { instancesQuery } from '../../../gateway/queries.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Loaded, PageHead } from '../../../ui/page-head.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { addressOfSelection } from '../model/chat-address.ts'
import { GroupInvite } from './group-invite.tsx'
import { GroupMembers } from './group-members.tsx'
import { type GroupReference, groupQuery, inputOf, keepGroup, type ListedGroup } from './group-queries.ts'
import { GroupRequests } from './group-requests.tsx'
import { GroupAbout, GroupRules } from './group-settings.tsx'
import { groupTexts } from './texts/group-texts.ts'

export function GroupPage() {
  const t = useTexts(groupTexts)
  const search = new URLSearchParams(useSearch())
  const reference = { instanceName: search.get('instance') ?? '', groupJid: search.get('group') ?? '' }
  const query = useQuery(groupQuery(reference))
  const { instanceName, groupJid: chat } = reference
  const conversation = addressOfSelection({ instanceName, open: { instanceName, chat } })
  return (
    <>
      <Link className="small" href={conversation}>
        ← {t.back}
      </Link>
      {query.data ? null : <PageHead title={t.title} />}
      <Loaded query={query}>
        {(group) => (
          <GroupView key={group.groupJid} group={group} reference={reference} conversation={conversation} />
        )}
      </Loaded>
    </>
  )
}

interface ViewProps {
  group: ListedGroup
  reference: GroupReference
  /** The address of the conversation. */
  conversation: string
}

function GroupView({ group, reference, conversation }: ViewProps) {
  const t = useTexts(groupTexts)
  const can = useCan()
  const [isLeaving, setLeaving] = useState(false)
  const { data } = useQuery(instancesQuery)
  const instance = data?.instances.find(({ apiInstanceName }) => apiInstanceName === reference.instanceName)
  return (
    <>
      <PageHead
        title={group.subject}
        lead={[t.members(group.size), instance?.displayName].filter(Boolean).join(' · ')}
        actions={
          <>
            <ButtonLink href={conversation}>{t.openChat}</ButtonLink>
            {can('leaveGroup') ? (
              <Button kind="danger" onClick={() => setLeaving(true)}>
                {t.leave}
              </Button>
            ) : null}
          </>
        }
      />
      {group.isAdmin ? null : <div className="note">{t.notAdmin}</div>}
      <div className="grid">
        <GroupAbout group={group} reference={reference} />
        <GroupRules group={group} reference={reference} />
        {group.isAdmin && can('getGroupInvite', 'resetGroupInvite') ? (
          <GroupInvite reference={reference} />
        ) : null}
        {group.isAdmin && can('listJoinRequests', 'answerJoinRequests') ? (
          <GroupRequests reference={reference} />
        ) : null}
      </div>
      <GroupMembers group={group} reference={reference} own={instance?.number ?? null} />
      {isLeaving ? (
        <LeaveDialog group={group} reference={reference} onClose={() => setLeaving(false)} />
      ) : null}
    </>
  )
}

function LeaveDialog({ group, reference, onClose }: Omit<ViewProps, 'conversation'> & { onClose(): void }) {
  const t = useTexts(groupTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [, go] = useLocation()
  const leave = useMutation({
    mutationFn: () => api.leaveGroup(inputOf(reference)),
    onSuccess() {
      toasts.done(t.left(group.subject))
      go(addressOfSelection({ instanceName: reference.instanceName, open: undefined }))
      keepGroup(queries, reference, undefined)
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
