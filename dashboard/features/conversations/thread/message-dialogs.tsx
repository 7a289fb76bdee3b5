// The dialogs that change a message: edit, forward, pin and delete.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PIN_SECONDS } from '../../../../src/contract/message-values.ts'
import { api } from '../../../gateway/api.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SelectField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { useFieldFault } from '../../../ui/refusals/error-text.ts'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { rereadConversation } from '../model/conversation-queries.ts'
import { actionTexts } from '../texts/action-texts.ts'
import { ForwardDialog } from './forward-dialog.tsx'
import type { MessageDialogProps, RequestedDialog } from './requested-dialog.ts'

const DIALOGS = { edit: EditDialog, forward: ForwardDialog, pin: PinDialog, delete: DeleteDialog }

export function MessageDialog({ dialog, ...props }: MessageDialogProps & { dialog: RequestedDialog }) {
  const Chosen = DIALOGS[dialog]
  return <Chosen {...props} />
}

/** A change of the message, after which the dialog closes. */
function useChange<T>({ open, onClose }: MessageDialogProps, change: (value: T) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess() {
      onClose()
      void rereadConversation(queries, open)
    },
  })
}

function EditDialog(props: MessageDialogProps) {
  const t = useTexts(actionTexts)
  const ui = useTexts(uiTexts)
  const fieldFault = useFieldFault()
  const { shown, open, onClose } = props
  const [message, setMessage] = useState(shown.text ?? '')
  const edit = useChange(props, () =>
    api.editMessage({
      params: { messageId: shown.message.messageId },
      body: { instanceName: open.instanceName, message },
    }),
  )
  return (
    <FormDialog
      title={t.editTitle}
      action={ui.save}
      isPending={edit.isPending}
      isBlocked={message.trim() === '' || message === shown.text}
      onSubmit={() => edit.mutate(undefined)}
      onClose={onClose}
    >
      <AreaField
        label={t.editText}
        rows={4}
        value={message}
        onChange={setMessage}
        fault={fieldFault(edit.error, 'message')}
      />
    </FormDialog>
  )
}

type PinFor = keyof typeof PIN_SECONDS

function PinDialog(props: MessageDialogProps) {
  const t = useTexts(actionTexts)
  const { shown, open, onClose } = props
  const [duration, setDuration] = useState<PinFor>('week')
  const pin = useChange(props, (seconds: (typeof PIN_SECONDS)[PinFor]) =>
    api.pinMessage({
      params: { messageId: shown.message.messageId },
      body: { instanceName: open.instanceName, seconds },
    }),
  )
  return (
    <FormDialog
      title={t.pinTitle}
      intro={<p>{t.pinText}</p>}
      action={t.choices.pin}
      isPending={pin.isPending}
      onSubmit={() => pin.mutate(PIN_SECONDS[duration])}
      onClose={onClose}
    >
      <SelectField<PinFor>
        label={t.pinFor}
        value={duration}
        options={(Object.keys(PIN_SECONDS) as PinFor[]).map((one): [PinFor, string] => [
          one,
          t.durations[one],
        ])}
        onChange={setDuration}
      />
      {pin.error ? <ErrorNote error={pin.error} /> : null}
    </FormDialog>
  )
}

function DeleteDialog(props: MessageDialogProps) {
  const t = useTexts(actionTexts)
  const { shown, open, onClose } = props
  const remove = useChange(props, () =>
    api.deleteMessage({
      params: { messageId: shown.message.messageId },
      query: { instanceName: open.instanceName },
    }),
  )
  return (
    <ConfirmDialog
      title={t.deleteTitle}
      text={t.deleteText}
      action={t.choices.delete}
      work={{ ...remove, mutate: () => remove.mutate(undefined) }}
      onClose={onClose}
    />
  )
}
