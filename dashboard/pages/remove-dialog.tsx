// Asks before something of the operator's is deleted for good.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../language.tsx'
import { operatorTexts } from '../texts/operator.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
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
    <ConfirmDialog
      title={t.removeTitle(name)}
      text={t.removeText}
      action={t.remove}
      work={removal}
      onClose={onClose}
    />
  )
}
