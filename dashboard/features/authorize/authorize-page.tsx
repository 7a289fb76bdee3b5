// The authorization page of agents that sign in with OAuth 2.1: shows which program requests what, and lets the person decide.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AgentScope } from '../../../src/contract/wall-values.ts'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checks, Form } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote, Loaded, PageHead } from '../../ui/page-head.tsx'
import { WallFields } from '../account/wall-fields.tsx'
import { NO_WALLS, wallsOf } from '../account/wall-form.ts'
import { requestIn } from './agent-request.ts'
import { authorizeTexts } from './texts/authorize-texts.ts'

type Reviewed = Awaited<ReturnType<typeof api.reviewAgentSignIn>>

export function AuthorizePage() {
  const t = useTexts(authorizeTexts)
  // The address is read once: what the person sees is what is granted.
  const [request] = useState(() => requestIn(location.search))
  const review = useQuery({
    queryKey: ['agent-sign-in', request],
    queryFn: ({ signal }) => api.reviewAgentSignIn({ body: request as never }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <PageHead title={t.title} />
      <Loaded query={review}>{(reviewed) => <Decision request={request} reviewed={reviewed} />}</Loaded>
    </>
  )
}

interface DecisionProps {
  request: Record<string, string>
  reviewed: Reviewed
}

function Decision({ request, reviewed: { agent, refusalUrl } }: DecisionProps) {
  const t = useTexts(authorizeTexts)
  const [scopes, setScopes] = useState<AgentScope[]>(agent.scopes)
  const [walls, setWalls] = useState({ ...NO_WALLS, approval: true })
  const allow = useMutation({
    mutationFn: () => api.grantAgentSignIn({ body: { ...request, scopes, ...wallsOf(walls) } as never }),
    onSuccess: ({ redirectUrl }) => location.assign(redirectUrl),
  })
  const isLeaving = allow.isPending || allow.isSuccess
  return (
    <Card title={t.question(agent.name)}>
      <p>
        {t.publishedBy} <strong className="wrap">{agent.clientHost}</strong>
      </p>
      <p>
        {t.goesTo} <strong className="wrap">{agent.redirectHost}</strong>
      </p>
      <p className="note warn">{agent.isLocal ? t.isLocal : t.check}</p>
      <Form onSubmit={() => allow.mutate()}>
        <Checks<AgentScope>
          label={t.may}
          hint={t.mayHint}
          options={Object.entries(t.scopes) as [AgentScope, string][]}
          chosen={scopes}
          onChange={setScopes}
        />
        <WallFields walls={walls} onChange={setWalls} error={allow.error} hasInstances />
        {allow.error ? <ErrorNote error={allow.error} /> : null}
        <p className="muted small">{t.later}</p>
        <div className="row">
          <Button kind="primary" submit busy={isLeaving} disabled={scopes.length === 0}>
            {t.allow}
          </Button>
          <Button onClick={() => location.assign(refusalUrl)}>{t.refuse}</Button>
        </div>
      </Form>
    </Card>
  )
}
