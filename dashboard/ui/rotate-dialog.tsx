// Asks for how long an old key or secret lives on beside the one that takes its place.
import { useState } from 'react'
import { faultOf, useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form, TextField } from './fields.tsx'

const DEFAULT_HOURS = '24'
const MOST_HOURS = 168

export interface RotateDialogProps {
  title: string
  words: { rotateText: string; overlap: string; overlapHint: string; rotate: string }
  /** The mutation that does it, given the hours. */
  work: { error: Error | null; isPending: boolean; mutate(overlapHours: number): void }
  onClose(): void
}

export function RotateDialog({ title, words, work, onClose }: RotateDialogProps) {
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const [hours, setHours] = useState(DEFAULT_HOURS)
  // An empty field is no zero: that would end the old one at once.
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
