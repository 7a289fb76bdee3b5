// Connects a phone with a QR code that renews itself, or with a pairing code. Hidden once the instance is open.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { addressOf, api } from '../../gateway/api.ts'
import { useAccount } from '../../gateway/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Form, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { useFieldFault } from '../../ui/refusals/error-text.ts'
import { scanWithFreePhone } from '../phones/scan-phone.ts'
import css from './pairing.module.css'
import { instanceTexts } from './texts/instance-texts.ts'

const SECOND_MS = 1000
/** How often to poll for a new code before the shown one expires. */
const POLL_MS = 2500

interface Props {
  instanceName: string
  /** Why pairing stopped, if it did. */
  hasRunOut: boolean
  /** Why the passkey step ended, if it was that. */
  ended?: string | undefined
}

export function Pairing({ instanceName, hasRunOut, ended }: Props) {
  const t = useTexts(instanceTexts)
  const isSandbox = useAccount().data?.network === 'sandbox'
  return (
    <Card title={t.pairing}>
      <div className={css.pairing}>
        <QrCode instanceName={instanceName} hasRunOut={hasRunOut} ended={ended} isSandbox={isSandbox} />
        <div className="stack">
          <ol className={css.steps}>
            {t.steps.split('\n').map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {isSandbox ? <p className="muted small">{t.stepsSandbox}</p> : null}
          <PairingCode instanceName={instanceName} />
        </div>
      </div>
    </Card>
  )
}

function QrCode({ instanceName, hasRunOut, ended, isSandbox }: Props & { isSandbox: boolean }) {
  const t = useTexts(instanceTexts)
  const queries = useQueryClient()
  const [started, setStarted] = useState(false)
  // Pairing runs again; if it expires again, the reader is asked again.
  if (started && !hasRunOut) setStarted(false)
  // Requesting the code keeps pairing alive, so polling stops once the code expired.
  const isAsking = !hasRunOut || started
  const { data, error } = useQuery({
    queryKey: ['qr', instanceName],
    queryFn: ({ signal }) => api.connectInstance({ query: { instanceName }, body: {} }, { signal }),
    enabled: isAsking,
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  })
  const code = data?.qr?.code
  const secondsLeft = useSecondsUntil(data?.qr?.expiresAt)
  const isPasskeyNeeded = Boolean(data?.passkey)
  useEffect(() => {
    // Connected meanwhile, or waiting for a passkey: refetching the list hides this card.
    if (error || isPasskeyNeeded) void queries.invalidateQueries({ queryKey: ['instances'] })
  }, [error, isPasskeyNeeded, queries])
  if (!isAsking) {
    return (
      <div className={css.qr}>
        <div className="stack">
          <p>{ended ?? t.ranOut}</p>
          <Button onClick={() => setStarted(true)}>{t.newCode}</Button>
        </div>
      </div>
    )
  }
  return (
    <div className="stack close">
      <div className={css.qr}>
        {code === undefined ? (
          <p>{t.preparing}</p>
        ) : (
          // Only a counter in the URL, never the code: it makes the browser reload the image.
          <img key={code} src={addressOf('qrImage', { query: { instanceName } })} alt={t.qrAlt} />
        )}
      </div>
      {code === undefined || secondsLeft === undefined ? null : (
        <p className="muted small number" aria-live="off">
          {t.renews(secondsLeft)}
        </p>
      )}
      {isSandbox && code !== undefined ? <SandboxScan instanceName={instanceName} /> : null}
    </div>
  )
}

/** Links the instance without another page, where the phones are simulated. */
function SandboxScan({ instanceName }: { instanceName: string }) {
  const t = useTexts(instanceTexts)
  const queries = useQueryClient()
  const scan = useMutation({
    mutationFn: () => scanWithFreePhone(instanceName, t.sandboxPhone),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['instances'] }),
  })
  return (
    <>
      <Button kind="primary" busy={scan.isPending} onClick={() => scan.mutate()}>
        {t.scanSandbox}
      </Button>
      {scan.error ? <ErrorNote error={scan.error} /> : null}
    </>
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
  const fieldFault = useFieldFault()
  const [number, setNumber] = useState('')
  const ask = useMutation({
    mutationFn: () => api.connectInstance({ query: { instanceName }, body: { number } }),
  })
  const fault = fieldFault(ask.error, 'number')
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
            <strong className={css.pairingCode}>{ask.data.pairingCode}</strong>
          </div>
        ) : ask.error && fault === undefined ? (
          <ErrorNote error={ask.error} />
        ) : null}
      </div>
    </details>
  )
}
