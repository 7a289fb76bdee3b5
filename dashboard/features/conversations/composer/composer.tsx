// The form to write a message of any kind, and the equivalent API request.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { omitUndefined } from '../../../../src/contract/omit-undefined.ts'
import { Button } from '../../../ui/button.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { faultOf } from '../../../ui/refusals/error-text.ts'
import { mentionsIn, withMention } from '../message/mentions.ts'
import type { OpenChat } from '../model/chat-address.ts'
import { membersQuery, rereadConversation } from '../model/conversation-queries.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { useKeptDraft } from '../model/use-drafts.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './composer.module.css'
import { type Attachments, useAttachments, useComposerFiles, useVoice } from './composer-files.ts'
import {
  AttachmentTray,
  Delay,
  DeveloperSwitch,
  EmojiPicker,
  KindBar,
  KindChoice,
  MentionsAll,
  MicrophoneButton,
  Options,
  OtherFaults,
  ReplyBar,
  RequestView,
  SendGlyph,
} from './composer-parts.tsx'
import { FormFilesContext } from './file-input.tsx'
import { FormFields } from './form-fields.tsx'
import { MentionPicker } from './mention-picker.tsx'
import { QuickReplies } from './quick-replies.tsx'
import {
  bodyOf,
  emptyDraft,
  type FormDraft,
  pathsOf,
  type References,
  requestsFor,
  type SendRecipient,
  type SendRequest,
} from './send-body.ts'
import {
  KINDS_FOR_GROUPS,
  KINDS_FOR_PEOPLE,
  KINDS_FOR_STATUS,
  optionsOf,
  SEND_FORMS,
  type SendForm,
  type SendKind,
} from './send-forms.ts'
import { keptSends } from './use-kept-sends.ts'

const VoiceRecorder = onDemand(async () => (await import('./voice-recorder.tsx')).VoiceRecorder)

interface ComposerProps {
  open: OpenChat
  to: SendRecipient['to']
  /** The message to reply to. */
  reply: ThreadMessage | undefined
  onReplied(): void
  /** Files that were dropped on the conversation. */
  dropped: readonly File[]
  onTaken(): void
  /** The reader has opened the chat to write, and not to see a message in it. */
  takesFocus: boolean
}

function kindsFor(to: SendRecipient['to']): readonly SendKind[] {
  if ('groupJid' in to) return KINDS_FOR_GROUPS
  return 'chat' in to ? KINDS_FOR_PEOPLE : KINDS_FOR_STATUS
}

/** The forms that have a file of their own. With any other, files go with the text. */
const TAKES_FILES: ReadonlySet<SendKind> = new Set(['media', 'sticker', 'status'])

export function Composer(props: ComposerProps) {
  const { open, to, reply, onReplied } = props
  const t = useTexts(conversationTexts)
  const formElement = useRef<HTMLFormElement>(null)
  const composer = useComposer(props, formElement)
  const { kinds, kind, form, draft, options, mentions, attachments, files, voice } = composer
  const { faultAt, isPlain, isBusy, submit } = composer
  const isText = 'message' in draft
  const isGroupText = 'groupJid' in to && isText
  const developer = useDeveloper()
  const hasHiddenFault = hasFault(faultAt, ['delay', ...options.map(({ path }) => path)])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its text, where there is no other control
    <form
      ref={formElement}
      className={css.composer}
      aria-label={t.compose}
      noValidate
      onPaste={files.onPaste}
      onKeyDown={composer.onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {reply ? <ReplyBar reply={reply} onCancel={onReplied} /> : null}
      {isPlain || kinds.length === 1 ? null : <KindBar title={t.kinds[kind]} onBack={composer.backToText} />}
      {isPlain ? <QuickReplies draft={draft} onChange={composer.keep} /> : null}
      <AttachmentTray attachments={attachments} />
      {voice.isOpen ? <VoiceRecorder onDone={voice.onDone} onClose={voice.close} /> : null}
      <div className={css.line} data-plain={isPlain} hidden={voice.isOpen}>
        <KindChoice
          kinds={kinds}
          kind={kind}
          onChange={composer.setKind}
          onFiles={files.onChosen}
          developer={developer}
        />
        {isText ? (
          <EmojiPicker onChoose={(emoji) => composer.insert((text, at) => withEmoji(text, at, emoji))} />
        ) : null}
        <div className={css.composerForm} data-form={kind}>
          <FormFilesContext value={files.shared}>
            <FormFields
              fields={form.fields}
              draft={draft}
              at=""
              onChange={composer.keep}
              faultAt={faultAt}
              {...(isPlain ? { onEnter: submit } : {})}
            />
          </FormFilesContext>
          {mentions.isAll ? <MentionsAll onRemove={() => mentions.setAll(false)} /> : null}
        </div>
        {isGroupText ? <MentionPicker open={open} onChoose={composer.mention} /> : null}
        {kinds.length === 1 ? <DeveloperSwitch isOn={developer.isOn} onChange={developer.set} /> : null}
        {isPlain && draft.message === '' && attachments.list.length === 0 ? (
          <MicrophoneButton onClick={voice.open} />
        ) : null}
        <Button kind="primary" submit busy={isBusy}>
          <span className={css.sendText}>{draft.sendAt ? t.schedule : t.send}</span>
          <SendGlyph />
        </Button>
      </div>
      <OtherFaults error={composer.error} known={pathsOf([...form.fields, ...options], draft)} />
      {developer.isOn || hasHiddenFault ? (
        <div className={css.developerPanel}>
          <div className={css.composerForm}>
            <Options fields={options} draft={draft} onChange={composer.keep} faultAt={faultAt} />
            <Delay form={form} value={composer.delay} onChange={composer.setDelay} fault={faultAt('delay')} />
          </div>
          <RequestView path={composer.request.path} body={composer.request.body} />
        </div>
      ) : null}
    </form>
  )
}

/** What is in the composer, and what can be done with it. */
function useComposer(
  { open, to, reply, onReplied, dropped, onTaken, takesFocus }: ComposerProps,
  formElement: RefObject<HTMLFormElement | null>,
) {
  const kinds = kindsFor(to)
  const { kind, setKind, form, draft, keep, drafts } = useDrafts(kinds[0] ?? 'text')
  const [delay, setDelay] = useState('')
  const mentions = useMentions(open, draft)
  const recipient = { instanceName: open.instanceName, to }
  const body = bodyOf(form, draft, recipient, delay, referencesOf(reply, mentions.chosen))
  const attachments = useAttachments()
  const requests = requestsOf({ open, form, body, recipient, attachments })
  const send = useSend(open, {
    // What was sent must not be sent again if a later one is refused.
    onSent(request) {
      attachments.forgetSent(request)
      if (request.text === draft.message) keep(undefined)
    },
    onDone() {
      keep(undefined)
      setKind(kinds[0] ?? 'text')
      mentions.setAll(false)
      onReplied()
    },
  })
  useFocus(formElement, { error: send.error, reply, takesFocus })
  const isPlain = kind === 'text' || kind === 'group'
  const typed = typeof draft.message === 'string' ? draft.message : ''
  useKeptDraft(open, isPlain ? typed : undefined, (message) => keep({ ...draft, message }))
  const options = optionsOf(form)
  const files = useComposerFiles(dropped, onTaken, {
    toForm: TAKES_FILES.has(kind),
    onForm() {
      // The form of a status shows its file only if the status is not a text.
      if (kind === 'status') keep({ ...draft, ...(draft.type === 'text' && { type: 'image' }) })
    },
    onTray(chosen) {
      if (!isPlain) drafts.moveTo(kinds[0] ?? 'text')
      attachments.add(chosen)
    },
  })
  const isBusy = send.isPending || files.isUploading || attachments.isUploading
  const submit = () => {
    if (isBusy || requests.length === 0) return
    send.mutate(requests)
    if (isPlain) formElement.current?.querySelector('textarea')?.focus()
  }
  const voice = useVoice(attachments, submit)
  const change = resetting(send.reset)
  const faultAt = (path: string) => faultOf(send.error, path)
  const insert = (into: (text: string, at: number) => string) => {
    const area = formElement.current?.querySelector('textarea')
    const text = typeof draft.message === 'string' ? draft.message : ''
    change(keep)({ ...draft, message: into(text, area?.selectionStart ?? text.length) })
    area?.focus()
  }
  const mention = (who: string) =>
    who === 'all' ? mentions.setAll(true) : insert((text, at) => withMention(text, at, who))
  const backToText = () => change(setKind)(kinds[0] ?? 'text')
  return {
    kinds,
    kind,
    setKind: change(setKind),
    backToText,
    form,
    draft,
    keep: change(keep),
    delay,
    setDelay: change(setDelay),
    options,
    mentions,
    attachments,
    files,
    voice,
    request: requests[0] ?? { path: form.path, body },
    error: send.error,
    faultAt,
    isPlain,
    isBusy,
    submit,
    insert,
    mention,
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const { currentTarget, key } = event
      if (leadsToMessages(event)) return focusMessages(currentTarget)
      if (key !== 'Escape' || currentTarget.querySelector(':popover-open')) return
      if (reply) onReplied()
      else if (!isPlain) backToText()
    },
  }
}

interface FocusFacts {
  error: unknown
  reply: ThreadMessage | undefined
  takesFocus: boolean
}

/** Into the first wrong field after an error, otherwise into the message. */
function useFocus(form: RefObject<HTMLFormElement | null>, { error, reply, takesFocus }: FocusFacts): void {
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, error])
  // On a touch screen the keyboard would cover the conversation.
  useEffect(() => {
    if (takesFocus && matchMedia('(hover: hover) and (min-width: 821px)').matches)
      form.current?.querySelector('textarea')?.focus()
  }, [form, takesFocus])
  useEffect(() => {
    if (reply) form.current?.querySelector('textarea')?.focus()
  }, [form, reply])
}

const referencesOf = (reply: ThreadMessage | undefined, mentions: readonly string[]): References => ({
  ...(reply && { quotedMessageId: reply.message.messageId }),
  ...(mentions.length > 0 && { mentions }),
})

const hasFault = (faultAt: (path: string) => string | undefined, paths: readonly string[]): boolean =>
  paths.some((path) => faultAt(path) !== undefined)

/** A change of the form removes the error of the last attempt. */
const resetting =
  (reset: () => void) =>
  <V,>(set: (value: V) => void) =>
  (value: V) => {
    reset()
    set(value)
  }

const withEmoji = (text: string, at: number, emoji: string): string =>
  text.slice(0, at) + emoji + text.slice(at)

const DEVELOPER_KEPT_AS = 'switchboard.developer'

/** Whether options, typing delay and the API request are shown; kept for the next visit. */
function useDeveloper() {
  const [isOn, setOn] = useState(() => localStorage.getItem(DEVELOPER_KEPT_AS) === 'true')
  return {
    isOn,
    set(next: boolean) {
      localStorage.setItem(DEVELOPER_KEPT_AS, String(next))
      setOn(next)
    },
  }
}

/** Keeps the draft of each kind when the reader switches between kinds. */
function useDrafts(first: SendKind) {
  const [kind, setKind] = useState<SendKind>(first)
  const [all, setAll] = useState<Partial<Record<SendKind, FormDraft>>>({})
  const form: SendForm = SEND_FORMS[kind]
  const draft = all[kind] ?? emptyDraft(form.fields)
  return {
    kind,
    setKind,
    form,
    draft,
    keep: (next: FormDraft | undefined) => setAll((now) => ({ ...now, [kind]: next })),
    drafts: {
      /** Shows another form. A text becomes its caption. */
      moveTo(next: SendKind) {
        const { message } = draft
        const target = all[next] ?? emptyDraft(SEND_FORMS[next].fields)
        if (message && target.message === '') {
          setAll({ ...all, [kind]: undefined, [next]: { ...target, message } })
        }
        setKind(next)
      },
    },
  }
}

function useMentions(open: OpenChat, { message }: FormDraft) {
  const [isAll, setAll] = useState(false)
  const text = typeof message === 'string' ? message : ''
  const { data: members = [] } = useQuery({
    ...membersQuery(open),
    enabled: open.chat.endsWith('@g.us') && text.includes('@'),
  })
  const named = mentionsIn(
    text,
    members.map(({ phone, jid }) => phone ?? jid),
  )
  return { isAll, setAll, chosen: isAll ? ['all'] : named }
}

/** In an empty text, the arrow up has nothing else to do. */
const leadsToMessages = ({ key, target }: KeyboardEvent<HTMLElement>): boolean =>
  key === 'ArrowUp' && target instanceof HTMLTextAreaElement && target.value === ''

const focusMessages = (form: HTMLElement): void =>
  form.parentElement?.querySelector<HTMLElement>('[role=log] article[tabindex="0"]')?.focus()

// What the composer sends: the calls, and how they are made.

interface Composed {
  open: OpenChat
  form: SendForm
  body: Record<string, unknown>
  recipient: SendRecipient
  attachments: Attachments
}

/** The calls that send what is in the composer. */
function requestsOf({ open, form, body, recipient, attachments }: Composed): SendRequest[] {
  const text = typeof body.message === 'string' ? body.message : ''
  if (attachments.list.length === 0) {
    const { route, path } = form
    return [{ ...open, route, path, body, text }]
  }
  const { quotedMessageId, mentions, sendAt, expiresAt, delay } = body
  const common = omitUndefined({ quotedMessageId, mentions, sendAt, expiresAt })
  return requestsFor({
    chat: open.chat,
    files: attachments.uploaded,
    caption: text,
    recipient,
    common,
    delay,
  })
}

interface SendHandlers {
  /** After each message. */
  onSent(request: SendRequest): void
  onDone(): void
}

/** A message that does not reach the gateway is kept, and counts as sent for the form. */
function useSend(open: OpenChat, { onSent, onDone }: SendHandlers) {
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always',
    async mutationFn(requests: readonly SendRequest[]) {
      for (const request of requests) {
        await keptSends.send(request)
        onSent(request)
      }
    },
    onSuccess() {
      onDone()
      void rereadConversation(queries, open)
    },
  })
}
