// Replays all events since a given time; the gateway accepts many events in parts.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, TextField } from '../../ui/fields.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { faultOf, useErrorText } from '../../ui/refusals/error-text.ts'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { webhookTexts } from './texts/webhook-texts.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** The format of a datetime-local field: local time, to the minute. */
function localMinute(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * MINUTE_MS
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose(): void }) {
  const t = useTexts(webhookTexts)
  const ui = useTexts(uiTexts)
  const format = useFormat()
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [since, setSince] = useState(() => localMinute(Date.now() - HOUR_MS))
  const replay = useMutation({
    mutationFn: (iso: string) => api.replayWebhook({ params: { id: webhookId }, body: { since: iso } }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  const { data, error, isPending } = replay
  const isMoment = !Number.isNaN(Date.parse(since))
  const fault = !isMoment
    ? t.sinceRequired
    : error
      ? (faultOf(error, 'since') ?? errorText(error))
      : undefined
  return (
    <Dialog title={t.replayTitle} onClose={onClose}>
      <p>{t.replayText}</p>
      <Form
        onSubmit={() => {
          if (isMoment) replay.mutate(new Date(since).toISOString())
        }}
      >
        <TextField label={t.since} fault={fault} type="datetime-local" value={since} onChange={setSince} />
        {data ? (
          <div className={`note ${data.complete ? 'good' : 'warn'} row apart`} role="status">
            {data.complete
              ? t.replayQueued(format.number(data.queued))
              : t.replayPartly(format.number(data.queued), format.moment(data.until))}
            {data.complete || data.until === null ? null : (
              <Button small busy={isPending} onClick={() => replay.mutate(data.until ?? '')}>
                {t.replayGoOn}
              </Button>
            )}
          </div>
        ) : null}
        <div className="row end">
          <Button onClick={onClose}>{data ? ui.close : ui.cancel}</Button>
          <Button kind="primary" submit busy={isPending}>
            {t.replaySubmit}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
