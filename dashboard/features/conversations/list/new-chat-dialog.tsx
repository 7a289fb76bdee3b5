// Starts a chat with a saved contact, or with a new number after checking that it is on the network.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../../gateway/api.ts'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { useFieldFault } from '../../../ui/refusals/error-text.ts'
import type { OpenChat } from '../model/chat-address.ts'
import type { ListedInstance } from '../model/conversation-queries.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { ContactPicker } from './contact-picker.tsx'

interface NewChatProps {
  instances: readonly ListedInstance[]
  addressOfChat(open: OpenChat): string
  onClose(): void
}

export function NewChat({ instances, addressOfChat, onClose }: NewChatProps) {
  const t = useTexts(conversationTexts)
  const fieldFault = useFieldFault()
  const [, go] = useLocation()
  const [instanceName, setInstanceName] = useState(instances[0]?.apiInstanceName ?? '')
  const [number, setNumber] = useState('')
  const check = useMutation({ mutationFn: () => api.checkNumber({ query: { instanceName, number } }) })
  const found = check.data?.data
  const change = (set: (value: string) => void) => (value: string) => {
    check.reset()
    set(value)
  }
  const openChat = () => {
    if (!found?.exists) return check.mutate()
    onClose()
    go(addressOfChat({ instanceName, chat: found.jid }))
  }
  return (
    <FormDialog
      title={t.newChatTitle}
      action={found?.exists ? t.start : t.check}
      isPending={check.isPending}
      isBlocked={found?.exists === false}
      onSubmit={openChat}
      onClose={onClose}
    >
      {instances.length > 1 ? (
        <SelectField
          label={t.instance}
          value={instanceName}
          options={instances.map((one) => [one.apiInstanceName, one.displayName] as const)}
          onChange={change(setInstanceName)}
        />
      ) : null}
      <ContactPicker
        key={instanceName}
        instanceName={instanceName}
        addressOfChat={addressOfChat}
        onChosen={onClose}
      />
      <TextField
        label={t.newChatNumber}
        hint={t.newChatHint}
        inputMode="tel"
        value={number}
        onChange={change(setNumber)}
        fault={fieldFault(check.error, 'number')}
      />
      <div role="status">
        {found ? (
          <div className={`note ${found.exists ? 'good' : 'warn'}`}>
            {found.exists ? t.exists(found.number) : t.existsNot(found.number)}
          </div>
        ) : null}
      </div>
    </FormDialog>
  )
}
