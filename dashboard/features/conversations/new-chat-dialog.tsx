// Starts a chat with a new number, after checking that it is on the network.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { faultOf, useErrorText } from '../../ui/refusals/error-text.ts'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import type { OpenChat } from './chat-address.ts'
import type { ListedInstance } from './chat-list.tsx'
import { conversationTexts } from './texts/conversation-texts.ts'

interface NewChatProps {
  instances: readonly ListedInstance[]
  addressOfChat(open: OpenChat): string
  onClose(): void
}

export function NewChat({ instances, addressOfChat, onClose }: NewChatProps) {
  const t = useTexts(conversationTexts)
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
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
  const fault = check.error ? (faultOf(check.error, 'number') ?? errorText(check.error)) : undefined
  return (
    <Dialog title={t.newChatTitle} onClose={onClose}>
      <Form onSubmit={openChat}>
        {instances.length > 1 ? (
          <SelectField
            label={t.instance}
            value={instanceName}
            options={instances.map((one) => [one.apiInstanceName, one.displayName] as const)}
            onChange={change(setInstanceName)}
          />
        ) : null}
        <TextField
          label={t.newChatNumber}
          hint={t.newChatHint}
          inputMode="tel"
          value={number}
          onChange={change(setNumber)}
          fault={fault}
        />
        <div role="status">
          {found ? (
            <div className={`note ${found.exists ? 'good' : 'warn'}`}>
              {found.exists ? t.exists(found.number) : t.existsNot(found.number)}
            </div>
          ) : null}
        </div>
        <div className="row end">
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" submit busy={check.isPending} disabled={found?.exists === false}>
            {found?.exists ? t.start : t.check}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
