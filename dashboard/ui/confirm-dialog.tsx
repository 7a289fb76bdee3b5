// Asks before something is done that cannot be taken back, and shows why it failed.
import { useTexts } from '../language.tsx'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './page-head.tsx'

export interface ConfirmDialogProps {
  title: string
  text: string
  /** What the button says. */
  action: string
  /** The mutation that does it. */
  work: { error: Error | null; isPending: boolean; mutate(): void }
  onClose(): void
}

export function ConfirmDialog({ title, text, action, work, onClose }: ConfirmDialogProps) {
  const ui = useTexts(uiTexts)
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {work.error ? <ErrorNote error={work.error} /> : null}
      <div className="row end">
        <Button onClick={onClose}>{ui.cancel}</Button>
        <Button kind="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
