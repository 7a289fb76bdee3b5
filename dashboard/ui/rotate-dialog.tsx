// Asks how long an old key or secret stays valid beside the new one.
import { useState } from 'react'
import { OVERLAP_HOURS } from '../../src/contract/values.ts'
import { TextField } from './fields.tsx'
import { FormDialog } from './form-dialog.tsx'
import { hoursIn } from './overlap.ts'
import { useFieldFault } from './refusals/error-text.ts'

export interface RotateDialogProps {
  title: string
  words: { rotateText: string; overlap: string; overlapHint: string; rotate: string }
  /** The mutation to run with the hours. */
  work: { error: Error | null; isPending: boolean; mutate(overlapHours: number): void }
  onClose(): void
}

export function RotateDialog({ title, words, work, onClose }: RotateDialogProps) {
  const fieldFault = useFieldFault()
  const [hours, setHours] = useState(String(OVERLAP_HOURS.usual))
  return (
    <FormDialog
      title={title}
      intro={<p>{words.rotateText}</p>}
      action={words.rotate}
      isPending={work.isPending}
      onSubmit={() => work.mutate(hoursIn(hours))}
      onClose={onClose}
    >
      <TextField
        label={words.overlap}
        hint={words.overlapHint}
        fault={fieldFault(work.error, 'overlapHours')}
        type="number"
        min={0}
        max={OVERLAP_HOURS.most}
        value={hours}
        onChange={setHours}
      />
    </FormDialog>
  )
}
