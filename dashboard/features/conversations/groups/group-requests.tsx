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
  number: string
}

export function GroupRequests({ reference }: { reference: GroupReference }) {
  const t = useTexts(groupTexts)
  const format = useFormat()
  const queries = useQueryClient()
  const query = useQuery(requestsQuery(reference))
  const reply = useMutation({
    mutationFn: ({ answer, number }: Answer) =>
      api.answerJoinRequests({ ...inputOf(reference), body: { [answer]: [number] } }),
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
                <li key={jid} className={css.request}>
                  <span>
                    <strong className="number">{phone === null ? jid : `+${phone}`}</strong>{' '}
                    <span className="muted small">{format.dateTime(requestedAt)}</span>
                  </span>
                  {phone === null ? null : (
                    <span className="row">
                      <Button
                        small
                        kind="primary"
                        busy={reply.isPending}
                        aria-label={t.approveOne(`+${phone}`)}
                        onClick={() => reply.mutate({ answer: 'approve', number: phone })}
                      >
                        {t.approve}
                      </Button>
                      <Button
                        small
                        busy={reply.isPending}
                        aria-label={t.rejectOne(`+${phone}`)}
                        onClick={() => reply.mutate({ answer: 'reject', number: phone })}
                      >
                        {t.reject}
                      </Button>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
