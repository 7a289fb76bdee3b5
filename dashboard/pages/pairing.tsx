// Connecting a phone: a code that renews itself and counts down, or a code to type. It vanishes when the instance is open.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { addressOf, api } from '../api.ts'
import { faultOf, useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { useAccount } from '../sign-in.ts'
import { instanceTexts } from '../texts/instances.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form, TextField } from '../ui/fields.tsx'
import { ErrorNote } from '../ui/page-head.tsx'

const SECOND_MS = 1000
/** How often to look whether the network has given another code before the shown one has run out. */
const LOOK_MS = 2500

interface Props {
  instanceName: string
  /** Why pairing is not under way, if it is not. */
  hasRunOut: boolean
}

export function Pairing({ instanceName, hasRunOut }: Props) {
  const t = useTexts(instanceTexts)
  const sandbox = useAccount().data?.network === 'sandbox'
  return (
    <Card title={t.pairing}>
      <div className="pairing">
        <QrCode instanceName={instanceName} hasRunOut={hasRunOut} />
        <div className="stack">
          <ol className="steps">
            {t.steps.split('\n').map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {sandbox ? <p className="muted small">{t.stepsSandbox}</p> : null}
          <PairingCode instanceName={instanceName} />
        </div>
      </div>
    </Card>
  )
}

function QrCode({ instanceName, hasRunOut }: Props) {
  const t = useTexts(instanceTexts)
  const queries = useQueryClient()
  const [started, setStarted] = useState(false)
  // Under way again: should it run out once more, the reader is asked anew.
  if (started && !hasRunOut) setStarted(false)
  // Asking keeps pairing going; once it has run out, that is for the reader to decide.
  const isAsking = !hasRunOut || started
  const { data, error } = useQuery({
    queryKey: ['qr', instanceName],
    queryFn: ({ signal }) => api.connectInstance({ query: { instanceName }, body: {} }, { signal }),
    enabled: isAsking,
    refetchInterval: LOOK_MS,
    staleTime: 0,
    gcTime: 0,
  })
  const code = data?.qr?.code
  const secondsLeft = useSecondsUntil(data?.qr?.expiresAt)
  useEffect(() => {
    // Connected in the meantime: the list knows, and this card goes.
    if (error) void queries.invalidateQueries({ queryKey: ['instances'] })
  }, [error, queries])
  if (!isAsking) {
    return (
      <div className="qr">
        <div className="stack">
          <p>{t.ranOut}</p>
          <Button onClick={() => setStarted(true)}>{t.newCode}</Button>
        </div>
      </div>
    )
  }
  return (
    <div className="stack close">
      <div className="qr">
        {code === undefined ? (
          <p>{t.preparing}</p>
        ) : (
          // The code itself stays out of the address; it only makes the browser load the image anew.
          <img key={code} src={addressOf('qrImage', { query: { instanceName } })} alt={t.qrAlt} />
        )}
      </div>
      {code === undefined || secondsLeft === undefined ? null : (
        <p className="muted small number" aria-live="off">
          {t.renews(secondsLeft)}
        </p>
      )}
    </div>
  )
}

function useSecondsUntil(iso: string | undefined): number | undefined {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return iso === undefined ? undefined : Math.max(0, Math.ceil((Date.parse(iso) - now) / SECOND_MS))
}

function PairingCode({ instanceName }: { instanceName: string }) {
  const t = useTexts(instanceTexts)
  const errorText = useErrorText()
  const [number, setNumber] = useState('')
  const ask = useMutation({
    mutationFn: () => api.connectInstance({ query: { instanceName }, body: { number } }),
  })
  const fault = ask.error ? (faultOf(ask.error, 'number') ?? errorText(ask.error)) : undefined
  return (
    <details>
      <summary>{t.byNumber}</summary>
      <div className="stack">
        <Form onSubmit={() => ask.mutate()}>
          <TextField
            label={t.phoneNumber}
            hint={t.phoneNumberHint}
            fault={fault}
            inputMode="tel"
            value={number}
            onChange={setNumber}
          />
          <div>
            <Button submit busy={ask.isPending}>
              {t.askCode}
            </Button>
          </div>
        </Form>
        {ask.data?.pairingCode ? (
          <div className="note stack close" role="status">
            {t.pairingCode}
            <span className="pairing-code">{ask.data.pairingCode}</span>
          </div>
        ) : ask.error && fault === undefined ? (
          <ErrorNote error={ask.error} />
        ) : null}
      </div>
    </details>
  )
}
