// Leads through the passkey step of linking: on the page of an instance, and on the page of a one-time link.

import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { getPasskey } from '../../../src/contract/passkey.ts'
import { Button } from '../../ui/button.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { type Assertion, onHandedOver, readAssertion } from './handover.ts'
import css from './passkey-step.module.css'
import { passkeyTexts } from './texts/passkey-texts.ts'
import { UsePasskey } from './use-passkey.tsx'

export type Demand = NonNullable<z.output<(typeof getPasskey)['answer']>['passkey']>

export interface PasskeyStepProps {
  instanceName: string
  demand: Demand
  answer(assertion: Assertion): Promise<unknown>
  confirm(code: string): Promise<unknown>
  cancel(): Promise<unknown>
  /** Reads the step again. */
  onChange(): void
}

export function PasskeyStep(props: PasskeyStepProps) {
  const t = useTexts(passkeyTexts)
  const { demand, instanceName } = props
  return (
    <div className="stack">
      <div className="note warn stack close">
        <strong>{t.what(instanceName, location.host)}</strong>
        <span>{t.effect}</span>
      </div>
      {demand.options ? <Answer {...props} options={demand.options} /> : null}
      {demand.step === 'assertion_sent' ? <p role="status">{t.sent}</p> : null}
      {demand.step === 'confirmation_needed' && demand.code !== null ? (
        <Confirmation {...props} code={demand.code} />
      ) : null}
      {demand.step === 'finishing' ? (
        <div className="stack close" role="status">
          <p>{t.finishing}</p>
          {demand.code === null ? null : (
            <p>
              {t.finishingCode} <strong className={css.code}>{demand.code}</strong>
            </p>
          )}
        </div>
      ) : null}
    </div>
  )
}

function Answer({
  instanceName,
  demand,
  options,
  answer,
  onChange,
}: PasskeyStepProps & { options: Record<string, unknown> }) {
  const t = useTexts(passkeyTexts)
  const [isUnreadable, setUnreadable] = useState(false)
  const send = useMutation({ mutationFn: answer, onSettled: onChange })
  const { mutate } = send
  const take = (text: string) => {
    const assertion = readAssertion(text)
    setUnreadable(assertion === undefined)
    if (assertion) mutate(assertion)
  }
  const { challenge } = options
  useEffect(() => {
    const handed = (text: string) => {
      const assertion = readAssertion(text)
      if (assertion) mutate(assertion)
    }
    return onHandedOver(challenge, handed)
  }, [challenge, mutate])
  return (
    <>
      <TimeLeft until={demand.expiresAt} />
      <UsePasskey
        request={{ options, instanceName }}
        isBusy={send.isPending}
        fault={isUnreadable ? t.notAResult : undefined}
        onResult={take}
      />
      {send.error ? <ErrorNote error={send.error} /> : null}
    </>
  )
}

function Confirmation({ code, demand, confirm, cancel, onChange }: PasskeyStepProps & { code: string }) {
  const t = useTexts(passkeyTexts)
  const send = useMutation({ mutationFn: () => confirm(code), onSettled: onChange })
  const end = useMutation({ mutationFn: cancel, onSettled: onChange })
  return (
    <div className="stack">
      <TimeLeft until={demand.expiresAt} />
      <div className="stack close" role="status">
        <p>{t.compare}</p>
        <strong className={css.code}>{code}</strong>
      </div>
      <p>{t.compareText}</p>
      <div className="row">
        <Button kind="primary" busy={send.isPending} disabled={end.isPending} onClick={() => send.mutate()}>
          {t.confirm}
        </Button>
        <Button kind="danger" busy={end.isPending} disabled={send.isPending} onClick={() => end.mutate()}>
          {t.cancel}
        </Button>
      </div>
      {send.error ? <ErrorNote error={send.error} /> : null}
      {end.error ? <ErrorNote error={end.error} /> : null}
    </div>
  )
}

const SECOND_MS = 1000

function TimeLeft({ until }: { until: string }) {
  const t = useTexts(passkeyTexts)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / SECOND_MS))
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return (
    <p className="muted small number" aria-live="off">
      {t.timeLeft(String(minutes), String(rest).padStart(2, '0'))}
    </p>
  )
}
