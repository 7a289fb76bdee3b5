// Gives an account another name.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { faultOf, useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { operatorTexts } from '../texts/operator.ts'
import { uiTexts } from '../texts/ui.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField } from '../ui/fields.tsx'

export interface RenameDialogProps {
  account: { id: number; name: string }
  onClose(): void
}

export function RenameDialog({ account, onClose }: RenameDialogProps) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [name, setName] = useState(account.name)
  const [missing, setMissing] = useState(false)
  const change = useMutation({
    mutationFn: () => api.adminUpdateAccount({ params: { id: String(account.id) }, body: { name } }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['operator'] })
      onClose()
    },
  })
  const refusal = change.error ? (faultOf(change.error, 'name') ?? errorText(change.error)) : undefined
  return (
    <Dialog title={t.renameTitle(account.name)} onClose={onClose}>
      <Form
        onSubmit={() => {
          setMissing(name.trim() === '')
          if (name.trim() !== '') change.mutate()
        }}
      >
        <TextField
          label={t.name}
          fault={missing ? t.nameRequired : refusal}
          maxLength={128}
          value={name}
          onChange={setName}
        />
        <div className="row end">
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" submit busy={change.isPending}>
            {ui.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
