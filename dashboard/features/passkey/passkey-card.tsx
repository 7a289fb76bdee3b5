// The passkey step on the page of an instance, with a one-time link for the owner of the phone.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { ErrorNote, Loaded } from '../../ui/page-head.tsx'
import { PasskeyStep } from './passkey-step.tsx'
import { passkeyTexts } from './texts/passkey-texts.ts'

const POLL_MS = 2500

interface Props {
  instanceName: string
  displayName: string
}

export function PasskeyCard({ instanceName, displayName }: Props) {
  const t = useTexts(passkeyTexts)
  const queries = useQueryClient()
  const query = { instanceName }
  const step = useQuery({
    queryKey: ['passkey', instanceName],
    queryFn: ({ signal }) => api.getPasskey({ query }, { signal }),
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  })
  const refresh = () => {
    for (const key of ['passkey', 'instances']) void queries.invalidateQueries({ queryKey: [key] })
  }
  return (
    <Card title={t.title}>
      <Loaded query={step}>
        {({ passkey }) =>
          passkey ? (
            <div className="stack">
              <PasskeyStep
                instanceName={displayName}
                demand={passkey}
                answer={(assertion) => api.answerPasskey({ query, body: { assertion } })}
                confirm={(code) => api.confirmPasskey({ query, body: { code } })}
                cancel={() => api.cancelPasskey({ query })}
                onChange={refresh}
              />
              <OneTimeLink instanceName={instanceName} />
            </div>
          ) : null
        }
      </Loaded>
    </Card>
  )
}

function OneTimeLink({ instanceName }: { instanceName: string }) {
  const t = useTexts(passkeyTexts)
  const format = useFormat()
  const create = useMutation({ mutationFn: () => api.createPasskeyLink({ query: { instanceName } }) })
  return (
    <details>
      <summary>{t.link}</summary>
      <div className="stack">
        <p>{t.linkText}</p>
        <div>
          <Button busy={create.isPending} onClick={() => create.mutate()}>
            {t.createLink}
          </Button>
        </div>
        {create.data ? (
          <div className="stack close">
            <CopyField label={t.linkLabel} value={create.data.link.url} />
            <p className="muted small">{t.linkUntil(format.dateTime(create.data.link.expiresAt))}</p>
          </div>
        ) : null}
        {create.error ? <ErrorNote error={create.error} /> : null}
      </div>
    </details>
  )
}
