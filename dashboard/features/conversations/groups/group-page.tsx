// The page of one group: settings, members, invite link, requests to join.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { api } from '../../../gateway/api.ts'
import { instancesQuery } from '../../../gateway/queries.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { ErrorNote, Loaded, PageHead } from '../../../ui/page-head.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { addressOfSelection } from '../model/chat-address.ts'
import { GroupMembers } from './group-members.tsx'
import {
  type GroupReference,
  groupQuery,
  inputOf,
  inviteQuery,
  keepGroup,
  type ListedGroup,
  requestsQuery,
} from './group-queries.ts'
import { GroupAbout, GroupRules } from './group-settings.tsx'
import css from './groups.module.css'
import { Outcomes } from './outcomes.tsx'
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

// The invite link of a group: show, copy and replace it.

function GroupInvite({ reference }: { reference: GroupReference }) {
  const t = useTexts(groupTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const query = useQuery(inviteQuery(reference))
  const [isAsking, setAsking] = useState(false)
  const reset = useMutation({
    mutationFn: () => api.resetGroupInvite(inputOf(reference)),
    onSuccess(invite) {
      queries.setQueryData(inviteQuery(reference).queryKey, invite)
      toasts.done(t.inviteReset)
      setAsking(false)
    },
  })
  return (
    <Card
      title={t.invite}
      actions={
        <Button small onClick={() => setAsking(true)}>
          {t.resetInvite}
        </Button>
      }
    >
      <p className="muted small">{t.inviteText}</p>
      <Loaded query={query}>
        {({ link, code }) => (
          <>
            <CopyField label={t.inviteLink} value={link} />
            <CopyField label={t.inviteCode} value={code} />
          </>
        )}
      </Loaded>
      {isAsking ? (
        <ConfirmDialog
          title={t.resetInvite}
          text={t.resetInviteText}
          action={t.resetInvite}
          work={reset}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Card>
  )
}

// The requests to join a group: approve or reject them.

interface Answer {
  answer: 'approve' | 'reject'
  person: string
}

function GroupRequests({ reference }: { reference: GroupReference }) {
  const t = useTexts(groupTexts)
  const queries = useQueryClient()
  const query = useQuery(requestsQuery(reference))
  const reply = useMutation({
    mutationFn: ({ answer, person }: Answer) =>
      api.answerJoinRequests({ ...inputOf(reference), body: { [answer]: [person] } }),
    onSuccess: ({ group }) => keepGroup(queries, reference, group),
  })
  return (
    <Card title={t.requests}>
      {reply.data ? <Outcomes outcomes={reply.data.requests} /> : null}
      {reply.error ? <ErrorNote error={reply.error} /> : null}
      <Loaded query={query}>
        {(requests) =>
          requests.length === 0 ? (
            <p className="muted small">{t.noRequests}</p>
          ) : (
            <ul className={css.requests}>
              {requests.map(({ jid, phone, requestedAt }) => (
                <Request
                  key={jid}
                  person={phone ?? jid}
                  shown={phone === null ? jid : `+${phone}`}
                  requestedAt={requestedAt}
                  reply={reply}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

interface RequestProps {
  /** By number, or by lid. */
  person: string
  shown: string
  requestedAt: string | null
  reply: { isPending: boolean; mutate(answer: Answer): void }
}

function Request({ person, shown, requestedAt, reply }: RequestProps) {
  const t = useTexts(groupTexts)
  const format = useFormat()
  return (
    <li className={css.request}>
      <span>
        <strong className="number">{shown}</strong>{' '}
        <span className="muted small">{format.dateTime(requestedAt)}</span>
      </span>
      <span className="row">
        <Button
          small
          kind="primary"
          busy={reply.isPending}
          aria-label={t.approveOne(shown)}
          onClick={() => reply.mutate({ answer: 'approve', person })}
        >
          {t.approve}
        </Button>
        <Button
          small
          busy={reply.isPending}
          aria-label={t.rejectOne(shown)}
          onClick={() => reply.mutate({ answer: 'reject', person })}
        >
          {t.reject}
        </Button>
      </span>
    </li>
  )
}
