// Hands stored messages over to Chatwoot, call by call until all of them are there.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../gateway/api.ts'
import { TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { faultOf } from '../../../ui/refusals/error-text.ts'
import { chatwootTexts } from './texts/chatwoot-texts.ts'

const DEFAULT_DAYS = '30'
const FIELDS = ['days', 'number']

export function HistoryDialog({ instanceName, onClose }: { instanceName: string; onClose(): void }) {
  const t = useTexts(chatwootTexts)
  const [days, setDays] = useState(DEFAULT_DAYS)
  const [number, setNumber] = useState('')
  const [pushed, setPushed] = useState<number>()
  const isClosed = useRef(false)
  useEffect(() => () => void (isClosed.current = true), [])
  const push = useMutation({
    async mutationFn() {
      let sum = 0
      const wanted = { days: Number(days), ...(number.trim() === '' ? {} : { number: number.trim() }) }
      for (let cursor: string | null | undefined; cursor !== null && !isClosed.current; ) {
        const body = { ...wanted, ...(cursor === undefined ? {} : { cursor }) }
        const answer = await api.pushChatwootHistory({ params: { instanceName }, body })
        setPushed((sum += answer.pushed))
        if (answer.failure !== null) return answer.failure
        cursor = answer.next
      }
      return null
    },
  })
  const isNamed = FIELDS.some((path) => faultOf(push.error, path) !== undefined)
  return (
    <FormDialog
      title={t.history}
      intro={<p>{t.historyText}</p>}
      action={t.historyStart}
      dismiss={t.close}
      isPending={push.isPending}
      onSubmit={() => push.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t.days}
        fault={faultOf(push.error, 'days')}
        type="number"
        min={1}
        max={365}
        value={days}
        onChange={setDays}
      />
      <TextField
        label={t.number}
        hint={t.numberHint}
        fault={faultOf(push.error, 'number')}
        inputMode="tel"
        value={number}
        onChange={setNumber}
      />
      {push.error && !isNamed ? <ErrorNote error={push.error} /> : null}
      {pushed === undefined ? null : <p role="status">{t.pushed(pushed)}</p>}
      {push.data ? (
        <div className="note warn" role="alert">
          {t.endedEarly(push.data)}
        </div>
      ) : null}
    </FormDialog>
  )
}
