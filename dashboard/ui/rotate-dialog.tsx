// Asks how long an old key or secret stays valid beside the new one.
import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form, TextField } from './fields.tsx'
import { useTexts } from './language.tsx'
import { faultOf, useErrorText } from './refusals/error-text.ts'
import { uiTexts } from './texts/ui-texts.ts'

const DEFAULT_HOURS = '24'
const MOST_HOURS = 168

export interface RotateDialogProps {
  title: string
  words: { rotateText: string; overlap: string; overlapHint: string; rotate: string }
  /** The mutation to run with the hours. */
  work: { error: Error | null; isPending: boolean; mutate(overlapHours: number): void }
  onClose(): void
}

export function RotateDialog({ title, words, work, onClose }: RotateDialogProps) {
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const [hours, setHours] = useState(DEFAULT_HOURS)
  // An empty field must not become 0, which would end the old one immediately.
  const overlapHours = hours.trim() === '' ? Number.NaN : Number(hours)
  const fault = work.error ? (faultOf(work.error, 'overlapHours') ?? errorText(work.error)) : undefined
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{words.rotateText}</p>
      <Form onSubmit={() => work.mutate(overlapHours)}>
        <TextField
          label={words.overlap}
          hint={words.overlapHint}
          fault={fault}
          type="number"
          min={0}
          max={MOST_HOURS}
          value={hours}
          onChange={setHours}
        />
        <div className="row end">
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" submit busy={work.isPending}>
            {words.rotate}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
