// The page of a one-time link: it leads through the passkey step without a key. The token is in the fragment, which is not sent.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api } from '../../gateway/api.ts'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote, Loaded, PageHead } from '../../ui/page-head.tsx'
import { PasskeyStep } from './passkey-step.tsx'
import { passkeyTexts } from './texts/passkey-texts.ts'

const POLL_MS = 2500

export function PasskeyPage() {
  const t = useTexts(passkeyTexts)
  const queries = useQueryClient()
  const [token] = useState(() => location.hash.slice(1))
  const link = useQuery({
    // Without the token: keys of queries are not for secrets.
    queryKey: ['passkey-link'],
    queryFn: ({ signal }) => api.readPasskeyLink({ body: { token } }, { signal }),
    enabled: token !== '',
    refetchInterval: ({ state }) => (state.error || state.data?.result ? false : POLL_MS),
    staleTime: 0,
    gcTime: 0,
  })
  if (token === '' || isInvalid(link.error))
    return (
      <>
        <PageHead title={t.pageTitle} />
        <ErrorNote error={new ApiError(404, 'passkey_link_not_found', '')} />
      </>
    )
  return (
    <>
      <PageHead title={t.pageTitle} />
      <Loaded query={link}>
        {({ displayName, passkey, result }) => (
          <>
            {result === null ? null : (
              <p className={result === 'linked' ? 'note good' : 'note warn'} role="status">
                {t.results[result]}
              </p>
            )}
            {passkey ? (
              <PasskeyStep
                instanceName={displayName}
                demand={passkey}
                answer={(assertion) => api.answerPasskeyByLink({ body: { token, assertion } })}
                confirm={(code) => api.confirmPasskeyByLink({ body: { token, code } })}
                cancel={() => api.cancelPasskeyByLink({ body: { token } })}
                onChange={() => void queries.invalidateQueries({ queryKey: ['passkey-link'] })}
              />
            ) : null}
          </>
        )}
      </Loaded>
    </>
  )
}

const isInvalid = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.reason === 'passkey_link_not_found' || error.reason === 'invalid_request')
