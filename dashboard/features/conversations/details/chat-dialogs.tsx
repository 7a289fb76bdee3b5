// The dialogs that change a chat: mute, disappearing messages and clear.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { TIMER_SECONDS } from '../../../../src/contract/values.ts'
import { api } from '../../../gateway/api.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SelectField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import {
  type ChatTimer,
  MUTE_MS,
  type MuteFor,
  muteEnd,
  type RequestedChatDialog,
  timerOf,
} from '../model/chat-choices.ts'
import { type ListedChat, rereadConversation, showChat } from '../model/conversation-queries.ts'
import { chatSettingTexts } from '../texts/chat-setting-texts.ts'
import { useChatChange } from './use-chat-settings.ts'

interface ChatDialogProps {
  open: OpenChat
  chat: ListedChat
  /** The name of the chat. */
  title: string
  onClose(): void
}

const DIALOGS = { mute: MuteDialog, timer: TimerDialog, clear: ClearDialog }

export function ChatDialog({ dialog, ...props }: ChatDialogProps & { dialog: RequestedChatDialog }) {
  const Chosen = DIALOGS[dialog]
  return <Chosen {...props} />
}

function MuteDialog({ open, onClose }: ChatDialogProps) {
  const t = useTexts(chatSettingTexts)
  const [duration, setDuration] = useState<MuteFor>('hours')
  const change = useChatChange(open, { ownErrors: true })
  const mute = () =>
    change.mutate({ choice: 'mute', settings: { mutedUntil: muteEnd(duration) } }, { onSuccess: onClose })
  return (
    <FormDialog
      title={t.muteTitle}
      intro={<p>{t.muteText}</p>}
      action={t.choices.mute}
      isPending={change.isPending}
      onSubmit={mute}
      onClose={onClose}
    >
      <SelectField<MuteFor>
        label={t.muteFor}
        value={duration}
        options={(Object.keys(MUTE_MS) as MuteFor[]).map((one) => [one, t.muteTimes[one]] as const)}
        onChange={setDuration}
      />
      {change.error ? <ErrorNote error={change.error} /> : null}
    </FormDialog>
  )
}

function TimerDialog({ open, chat, onClose }: ChatDialogProps) {
  const t = useTexts(chatSettingTexts)
  const ui = useTexts(uiTexts)
  const current = timerOf(chat.disappearingSeconds)
  const [timer, setTimer] = useState<ChatTimer>(current ?? 'off')
  const change = useChatChange(open, { ownErrors: true })
  const save = () =>
    change.mutate(
      { choice: 'timer', settings: { disappearingSeconds: TIMER_SECONDS[timer] } },
      { onSuccess: onClose },
    )
  return (
    <FormDialog
      title={t.timerTitle}
      intro={<p>{t.timerText}</p>}
      action={ui.save}
      isPending={change.isPending}
      isBlocked={timer === current}
      onSubmit={save}
      onClose={onClose}
    >
      <SelectField<ChatTimer>
        label={t.timerAfter}
        value={timer}
        options={(Object.keys(TIMER_SECONDS) as ChatTimer[]).map((one) => [one, t.timers[one]] as const)}
        onChange={setTimer}
      />
      {change.error ? <ErrorNote error={change.error} /> : null}
    </FormDialog>
  )
}

function ClearDialog({ open, title, onClose }: ChatDialogProps) {
  const t = useTexts(chatSettingTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const { instanceName, chat } = open
  const clear = useMutation({
    mutationFn: () => api.clearChat({ query: { instanceName, chat } }),
    onSuccess(answer) {
      showChat(queries, open, answer.chat)
      void rereadConversation(queries, open)
      toasts.done(t.done.clear)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t.clearTitle}
      text={t.clearText(title)}
      action={t.choices.clear}
      work={clear}
      onClose={onClose}
    />
  )
}
