// A person as a phone sees them: the name in the address book, the settings of the chat, blocking.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { Form, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ChatOptions } from './chat-options.tsx'
import phoneCss from './phone.module.css'
import { phonesQuery, pictureOf, useAct, useNames, type WorldChat } from './sandbox-queries.ts'
import { Sheet } from './sheet.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

export interface PersonSheetProps {
  number: string
  chat: string
  row: WorldChat | undefined
  onClose(): void
  onLeft(): void
}

export function PersonSheet(props: PersonSheetProps) {
  const { number, chat, row, onClose } = props
  const t = useTexts(phoneTexts)
  const names = useNames()
  const name = row?.name ?? names(chat)
  return (
    <Sheet title={t.chat.info} onClose={onClose}>
      <div className={phoneCss.personHead}>
        <Avatar id={chat} title={name} picture={pictureOf(number, row?.pictureId, chat)} />
        <span className={phoneCss.chatRowText}>
          <strong>{name}</strong>
          <span className="number muted small">+{chat}</span>
        </span>
        <BlockButton number={number} chat={chat} />
      </div>
      <ChatOptions {...props} />
      <ContactForm number={number} chat={chat} name={name} />
    </Sheet>
  )
}

function BlockButton({ number, chat }: { number: string; chat: string }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const phone = useQuery(phonesQuery).data?.phones.find((each) => each.number === number)
  const isBlocked = phone?.blocked.includes(chat) ?? false
  const body = { number: chat, blocked: !isBlocked }
  return (
    <Button
      small
      kind={isBlocked ? 'plain' : 'danger'}
      onClick={() => act(api.sandboxBlock({ params: { number }, body }))}
    >
      {isBlocked ? t.profile.unblock : t.chat.block}
    </Button>
  )
}

function ContactForm({ number, chat, name }: { number: string; chat: string; name: string }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [text, setText] = useState(name)
  const body = { number: chat, name: text.trim() }
  return (
    <Form onSubmit={() => act(api.sandboxSaveContact({ params: { number }, body }))}>
      <TextField label={t.chat.contactName} value={text} maxLength={100} onChange={setText} />
      <div>
        <Button small submit disabled={text.trim() === '' || text.trim() === name}>
          {t.chat.saveContact}
        </Button>
      </div>
    </Form>
  )
}
