// Linked devices: the instances on this phone, those that wait to be scanned, and a pairing code to enter.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { instancesQuery } from '../queries.ts'
import { phoneTexts } from '../texts/phone.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Form, TextField } from '../ui/fields.tsx'
import { useToasts } from '../ui/toast.tsx'
import type { WorldPhone } from '../world.ts'
import { ScreenHead } from './phone-view.tsx'

export function DevicesScreen({ phone }: { phone: WorldPhone }) {
  const t = useTexts(phoneTexts)
  return (
    <>
      <ScreenHead title={t.linked} />
      <div className="screen-body padded">
        {phone.devices.length === 0 ? <p className="screen-note">{t.noLinked}</p> : null}
        <ul className="people">
          {phone.devices.map((device) => (
            <li key={device.id}>
              <span className="chat-row-text">{t.device(device.id, device.platform)}</span>
              {device.queued > 0 ? <Badge tone="warn">{t.queued(device.queued)}</Badge> : null}
              <Badge tone={device.online ? 'good' : 'plain'}>{device.online ? t.online : t.offline}</Badge>
            </li>
          ))}
        </ul>
        <Waiting number={phone.number} />
        <EnterCode number={phone.number} />
      </div>
    </>
  )
}

function Waiting({ number }: { number: string }) {
  const t = useTexts(phoneTexts)
  const toasts = useToasts()
  const instances = useQuery(instancesQuery).data?.instances ?? []
  // Those with a number have a login already, and come back by themselves.
  const waiting = instances.filter((instance) => instance.state !== 'open' && instance.number === null)
  const scan = useMutation({
    mutationFn: ({ apiInstanceName }: (typeof waiting)[number]) =>
      api.sandboxScan({ params: { number }, body: { instanceName: apiInstanceName } }),
    onSuccess: (_answer, { displayName }) => toasts.done(t.scanned(displayName)),
    onError: toasts.failed,
  })
  return (
    <>
      <h4>{t.waiting}</h4>
      {waiting.length === 0 ? (
        <p className="screen-note">
          {t.noWaiting} <Link href="/instances">{t.newInstance}</Link>
        </p>
      ) : null}
      <ul className="people">
        {waiting.map((instance) => (
          <li key={instance.id}>
            <span className="chat-row-text">
              <strong className="wrap">{instance.displayName}</strong>
              <span className="preview mono">{instance.apiInstanceName}</span>
            </span>
            <Button
              small
              kind="primary"
              aria-label={t.scanNamed(instance.displayName)}
              busy={scan.isPending && scan.variables.id === instance.id}
              onClick={() => scan.mutate(instance)}
            >
              {t.scan}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function EnterCode({ number }: { number: string }) {
  const t = useTexts(phoneTexts)
  const toasts = useToasts()
  const errorText = useErrorText()
  const [code, setCode] = useState('')
  const enter = useMutation({
    mutationFn: () => api.sandboxEnterCode({ params: { number }, body: { code: code.trim() } }),
    onSuccess() {
      toasts.done(t.codeEntered)
      setCode('')
    },
  })
  return (
    <Form onSubmit={() => enter.mutate()}>
      <TextField
        label={t.code}
        hint={t.codeHint}
        fault={enter.error ? errorText(enter.error) : undefined}
        value={code}
        maxLength={16}
        autoComplete="off"
        onChange={setCode}
      />
      <div>
        <Button submit busy={enter.isPending} disabled={code.trim() === ''}>
          {t.enterCode}
        </Button>
      </div>
    </Form>
  )
}
