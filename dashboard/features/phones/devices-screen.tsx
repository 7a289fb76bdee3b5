// Linked devices: linked instances, instances waiting for a scan, the pairing code, and the passkey.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../gateway/api.ts'
import { instancesQuery } from '../../gateway/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Form, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useErrorText } from '../../ui/refusals/error-text.ts'
import { useToasts } from '../../ui/toast.tsx'
import phoneCss from './phone.module.css'
import { useAct, type WorldPhone } from './sandbox-queries.ts'
import { ScreenHead } from './screen-head.tsx'
import { SwitchRow } from './switch-row.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

export function DevicesScreen({ phone }: { phone: WorldPhone }) {
  const t = useTexts(phoneTexts)
  return (
    <>
      <ScreenHead title={t.linked} />
      <div className={classNames(phoneCss.screenBody, phoneCss.padded)}>
        {phone.devices.length === 0 ? <p className={phoneCss.screenNote}>{t.noLinked}</p> : null}
        <ul className={phoneCss.people}>
          {phone.devices.map((device) => (
            <li key={device.id}>
              <span className={phoneCss.chatRowText}>{t.device(device.id, device.platform)}</span>
              {device.queued > 0 ? <Badge tone="warn">{t.queued(device.queued)}</Badge> : null}
              <Badge tone={device.online ? 'good' : 'plain'}>{device.online ? t.online : t.offline}</Badge>
            </li>
          ))}
        </ul>
        <Waiting number={phone.number} />
        <EnterCode number={phone.number} />
        <Passkey phone={phone} />
      </div>
    </>
  )
}

function Waiting({ number }: { number: string }) {
  const t = useTexts(phoneTexts)
  const toasts = useToasts()
  const instances = useQuery(instancesQuery).data?.instances ?? []
  // Instances with a number are logged in already and reconnect by themselves.
  const waiting = instances.filter((instance) => instance.state !== 'open' && instance.number === null)
  const scan = useMutation({
    mutationFn: ({ apiInstanceName }: (typeof waiting)[number]) =>
      api.sandboxScan({ params: { number }, body: { instanceName: apiInstanceName } }),
    onSuccess: ({ device }, { displayName }) =>
      toasts.done(device === null ? t.passkeyNeeded : t.scanned(displayName)),
    onError: toasts.failed,
  })
  return (
    <>
      <h4>{t.waiting}</h4>
      {waiting.length === 0 ? (
        <p className={phoneCss.screenNote}>
          {t.noWaiting} <Link href="/instances">{t.newInstance}</Link>
        </p>
      ) : null}
      <ul className={phoneCss.people}>
        {waiting.map((instance) => (
          <li key={instance.id}>
            <span className={phoneCss.chatRowText}>
              <strong className="wrap">{instance.displayName}</strong>
              <span className={classNames(phoneCss.preview, 'mono')}>{instance.apiInstanceName}</span>
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
    onSuccess({ device }) {
      toasts.done(device === null ? t.passkeyNeeded : t.codeEntered)
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

/** Whether the network demands the passkey of the phone, and the code that the phone shows for the latest link. */
function Passkey({ phone: { number, passkey } }: { phone: WorldPhone }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const step = passkey?.step ?? null
  return (
    <>
      <h4>{t.passkey}</h4>
      <SwitchRow
        title={t.demandPasskey}
        text={t.demandPasskeyText}
        on={passkey?.demanded ?? false}
        onChange={(demanded) => act(api.sandboxSetPasskey({ params: { number }, body: { demanded } }))}
      />
      {step === null ? null : (
        <p className={phoneCss.screenNote} role="status">
          {t.passkeySteps[step]}
        </p>
      )}
      {passkey?.code ? (
        <p>
          {t.passkeyCode}: <strong className="mono">{passkey.code}</strong>
        </p>
      ) : null}
    </>
  )
}
