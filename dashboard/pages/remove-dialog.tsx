// Asks before something of the operator's is deleted for good.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../language.tsx'
import { operatorTexts } from '../texts/operator.ts'
import { uiTexts } from '../texts/ui.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote } from '../ui/page-head.tsx'
import { useToasts } from '../ui/toast.tsx'

export interface RemoveDialogProps {
  name: string
  remove(): Promise<unknown>
  onClose(): void
  /** What follows in its place, where closing is not enough. */
  onDone?: () => void
}

export function RemoveDialog({ name, remove, onClose, onDone = onClose }: RemoveDialogProps) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: remove,
    onSuccess() {
      toasts.done(t.removed)
      onDone()
      void queries.invalidateQueries({ queryKey: ['operator'] })
    },
  })
  return (
    <Dialog title={t.removeTitle(name)} onClose={onClose}>
      <p>{t.removeText}</p>
      {removal.error ? <ErrorNote error={removal.error} /> : null}
      <div className="row end">
        <Button onClick={onClose}>{ui.cancel}</Button>
        <Button kind="danger" busy={removal.isPending} onClick={() => removal.mutate()}>
          {t.remove}
        </Button>
      </div>
    </Dialog>
  )
}
