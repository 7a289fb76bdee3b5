// The requests to join a group: approve or reject them.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../gateway/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { ErrorNote, Loaded } from '../../../ui/page-head.tsx'
import { type GroupReference, inputOf, keepGroup, requestsQuery } from './group-queries.ts'
import css from './groups.module.css'
import { Outcomes } from './outcomes.tsx'
import { groupTexts } from './texts/group-texts.ts'

interface Answer {
  answer: 'approve' | 'reject'
  person: string
}

export function GroupRequests({ reference }: { reference: GroupReference }) {
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
