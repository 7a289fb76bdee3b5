// The four steps of the first run. Each explains itself, has one button and shows its result.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../gateway/api.ts'
import type { LiveEvent } from '../../gateway/live.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Form, TextField } from '../../ui/fields.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { useFieldFault } from '../../ui/refusals/error-text.ts'
import { eventSummary } from '../events/event-summary.ts'
import type { WorldPhone } from '../phones/sandbox-queries.ts'
import { makePhone } from '../phones/scan-phone.ts'
import { type FirstRun, scanWithPhone } from './first-run.ts'
import css from './start.module.css'
import { firstRunTexts } from './texts/first-run-texts.ts'

interface StepProps {
  title: string
  isDone: boolean
  isCurrent: boolean
  children: ReactNode
}

/** A finished step shows its result, a later step only its title. */
export function Step({ title, isDone, isCurrent, children }: StepProps) {
  const t = useTexts(firstRunTexts)
  return (
    <li className={isDone ? css.isDone : undefined} aria-current={isCurrent ? 'step' : undefined}>
      <h2>
        {title}
        {isDone ? <span className="sr-only"> ({t.done})</span> : null}
      </h2>
      {isDone || isCurrent ? <div className="stack">{children}</div> : null}
    </li>
  )
}

/** The typing delay: long enough to notice. */
const TYPING_MS = 1500

export function CreateStep({ instance }: { instance: FirstRun['instance'] }) {
  const t = useTexts(firstRunTexts).create
  const fieldFault = useFieldFault()
  const queries = useQueryClient()
  const [name, setName] = useState<string>(t.firstName)
  const create = useMutation({
    mutationFn: () => api.createInstance({ body: { instanceName: name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['instances'] }),
  })
  if (instance) return <p className="muted wrap">{t.made(instance.displayName)}</p>
  const fault = fieldFault(create.error, 'instanceName')
  return (
    <>
      <p>{t.text}</p>
      <Form onSubmit={() => create.mutate()}>
        <TextField label={t.name} value={name} maxLength={64} fault={fault} onChange={setName} />
        <div>
          <Button kind="primary" submit busy={create.isPending} disabled={name.trim() === ''}>
            {t.submit}
          </Button>
        </div>
      </Form>
    </>
  )
}

interface RunProps {
  run: FirstRun
  isSandbox: boolean
}

export function ScanStep({ run, isSandbox, free }: RunProps & { free: readonly WorldPhone[] }) {
  const t = useTexts(firstRunTexts).scan
  const queries = useQueryClient()
  const { instance, isOpen } = run
  const name = instance?.apiInstanceName ?? ''
  const scan = useMutation({
    mutationFn: () => scanWithPhone(name, free, { own: t.ownPhone, friend: t.friend }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['instances'] }),
  })
  if (isOpen) return <p className="muted">{t.made(instance?.number ?? '')}</p>
  if (!isSandbox) {
    return (
      <>
        <p>{t.textReal}</p>
        <ButtonLink kind="primary" href={`/instances/${encodeURIComponent(name)}`}>
          {t.open}
        </ButtonLink>
      </>
    )
  }
  return (
    <>
      <p>{t.text}</p>
      {scan.error ? <ErrorNote error={scan.error} /> : null}
      <div>
        <Button kind="primary" busy={scan.isPending} onClick={() => scan.mutate()}>
          {t.submit}
        </Button>
      </div>
    </>
  )
}

export function SendStep({ run, isSandbox, friend }: RunProps & { friend: WorldPhone | undefined }) {
  const texts = useTexts(firstRunTexts)
  const t = texts.send
  const fieldFault = useFieldFault()
  const queries = useQueryClient()
  const [message, setMessage] = useState<string>(t.first)
  const [number, setNumber] = useState('')
  const send = useMutation({
    async mutationFn() {
      const to = isSandbox ? (friend?.number ?? (await makePhone(texts.scan.friend))) : number
      const instanceName = run.instance?.apiInstanceName ?? ''
      return api.sendText({ body: { instanceName, number: to, message, delay: TYPING_MS } })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  })
  if (run.hasArrived) return <p className="muted">{t.made}</p>
  const fault = fieldFault(send.error, 'number')
  const isUnderWay = send.isPending || run.isSent
  return (
    <>
      <p>{isSandbox ? t.text(friend?.name ?? texts.scan.friend) : t.textReal}</p>
      <Form onSubmit={() => send.mutate()}>
        {isSandbox ? null : (
          <TextField label={t.number} value={number} inputMode="tel" onChange={setNumber} />
        )}
        <TextField label={t.message} value={message} fault={fault} onChange={setMessage} />
        <div className="row">
          <Button kind="primary" submit busy={isUnderWay} disabled={message.trim() === ''}>
            {t.submit}
          </Button>
          {isUnderWay ? <span className="muted small">{t.under}</span> : null}
        </div>
      </Form>
    </>
  )
}

export function WatchStep({ run, isSandbox }: RunProps) {
  const t = useTexts(firstRunTexts).watch
  const format = useFormat()
  return (
    <>
      <p>{isSandbox ? t.text : t.textReal}</p>
      {run.events.length === 0 ? <p className="muted">{t.none}</p> : null}
      <ul className={css.eventFeed} aria-label={t.events} aria-live="polite">
        {run.events.map((event) => (
          <li key={event.id}>
            <code>{event.event}</code>
            <span className="cut">{eventSummary(event as LiveEvent)}</span>
            <time className="muted small number" title={format.moment(event.timestamp)}>
              {format.brief(event.timestamp)}
            </time>
          </li>
        ))}
      </ul>
      <div>
        <ButtonLink href="/webhooks">{t.webhook}</ButtonLink>
      </div>
    </>
  )
}
