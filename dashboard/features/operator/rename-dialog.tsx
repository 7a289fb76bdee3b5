// Renames an account.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../gateway/api.ts'
import { useTexts } from '../../ui/language.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { operatorTexts } from './texts/operator-texts.ts'

export interface RenameDialogProps {
  account: { id: number; name: string }
  onClose(): void
}

export function RenameDialog({ account, onClose }: RenameDialogProps) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (name: string) =>
      api.adminUpdateAccount({ params: { id: String(account.id) }, body: { name } }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['operator'] })
      onClose()
    },
  })
  return (
    <NameDialog
      title={t.renameTitle(account.name)}
      label={t.name}
      required={t.nameRequired}
      action={ui.save}
      name={account.name}
      maxLength={128}
      work={change}
      onClose={onClose}
    />
  )
}
