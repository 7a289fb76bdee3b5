// Replays all events since a given time; the gateway accepts many events in parts.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DELIVERY_CALLS, type DeliveryReceiver } from '../../gateway/queries.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { useFieldFault } from '../../ui/refusals/error-text.ts'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { webhookTexts } from './texts/webhook-texts.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** The format of a datetime-local field: local time, to the minute. */
function localMinute(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * MINUTE_MS
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

export function ReplayDialog({
  receiver: { kind, id },
  onClose,
}: {
  receiver: DeliveryReceiver
  onClose(): void
}) {
  const t = useTexts(webhookTexts)
  const ui = useTexts(uiTexts)
  const format = useFormat()
  const fieldFault = useFieldFault()
  const queries = useQueryClient()
  const [since, setSince] = useState(() => localMinute(Date.now() - HOUR_MS))
  const replay = useMutation({
    mutationFn: (iso: string) => DELIVERY_CALLS[kind].replaySince({ params: { id }, body: { since: iso } }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  const { data, error, isPending } = replay
  const isMoment = !Number.isNaN(Date.parse(since))
  const fault = isMoment ? fieldFault(error, 'since') : t.sinceRequired
  return (
    <FormDialog
      title={t.replayTitle}
      intro={<p>{t.replayText}</p>}
      action={t.replaySubmit}
      isPending={isPending}
      dismiss={data ? ui.close : ui.cancel}
      onSubmit={() => {
        if (isMoment) replay.mutate(new Date(since).toISOString())
      }}
      onClose={onClose}
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
    </FormDialog>
  )
}
