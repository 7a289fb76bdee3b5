// Confirms the deletion of an account, a plan or a user.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { operatorTexts } from './texts/operator-texts.ts'

export interface RemoveDialogProps {
  name: string
  remove(): Promise<unknown>
  onClose(): void
  /** Called instead of `onClose` after the deletion. */
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
