// A chat with a number that nobody wrote to yet: the network is asked first who that is.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../api.ts'
import { faultOf, useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { conversationTexts } from '../texts/conversations.ts'
import { uiTexts } from '../texts/ui.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, SelectField, TextField } from '../ui/fields.tsx'
import type { ListedInstance } from './chat-list.tsx'
import type { OpenChat } from './place.ts'

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
