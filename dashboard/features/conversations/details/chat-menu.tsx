// The menu of the open chat: group settings, archive, mute, pin, mark, disappearing messages and clear; beside it the button of its details.

import { useState } from 'react'
import { useLocation } from 'wouter'
import { useCan } from '../../../gateway/sign-in.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import { CHANGES, type ChatChoice, choicesForChat, type RequestedChatDialog } from '../model/chat-choices.ts'
import { addressOfGroup, isGroup } from '../model/chat-title.ts'
import type { ListedChat } from '../model/conversation-queries.ts'
import { chatSettingTexts } from '../texts/chat-setting-texts.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { peopleTexts } from '../texts/people-texts.ts'
import { useChatChange } from './use-chat-settings.ts'

const ChatDetails = onDemand(async () => (await import('./chat-details.tsx')).ChatDetails)
const ChatDialog = onDemand(async () => (await import('./chat-dialogs.tsx')).ChatDialog)

export interface ChatMenuProps {
  open: OpenChat
  chat: ListedChat
  /** The name of the chat. */
  title: string
  /** The address of the list. */
  listAddress: string
}

export function ChatMenu({ open, chat, title, listAddress }: ChatMenuProps) {
  const t = useTexts(chatSettingTexts)
  const [, go] = useLocation()
  const people = useTexts(peopleTexts)
  const conversation = useTexts(conversationTexts)
  const [requested, ask] = useState<RequestedChatDialog>()
  const [isDetailed, setDetailed] = useState(false)
  const can = useCan()
  const change = useChatChange(open)
  const choose = (choice: ChatChoice) => {
    if (choice === 'mute' || choice === 'timer' || choice === 'clear') return ask(choice)
    // As on phones, a chat is closed when it is marked as unread: an open chat is a read one.
    const onSuccess = () => {
      if (choice === 'markUnread') go(listAddress)
    }
    change.mutate({ choice, settings: CHANGES[choice] }, { onSuccess })
  }
  return (
    <>
      <Button
        kind="quiet"
        small
        aria-label={people.details}
        title={people.details}
        onClick={() => setDetailed(true)}
      >
        <Icon name="account" />
      </Button>
      <Menu
        label={t.menu}
        items={[
          ...(isGroup(open.chat) && can('getGroup')
            ? [{ title: conversation.groupSettings, onChoose: () => go(addressOfGroup(open)) }]
            : []),
          ...choicesForChat(chat)
            .filter((choice) => can(choice === 'clear' ? 'clearChat' : 'updateChat'))
            .map((choice) => ({
              title: t.choices[choice],
              danger: choice === 'clear',
              onChoose: () => choose(choice),
            })),
        ]}
      />
      {isDetailed ? (
        <ChatDetails open={open} chat={chat} title={title} onClose={() => setDetailed(false)} />
      ) : null}
      {requested === undefined ? null : (
        <ChatDialog dialog={requested} open={open} chat={chat} title={title} onClose={() => ask(undefined)} />
      )}
    </>
  )
}
