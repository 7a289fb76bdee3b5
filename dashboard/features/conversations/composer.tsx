// The form to write a message of any kind, and the equivalent API request.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ClipboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { useTexts } from '../../ui/language.tsx'
import { faultOf } from '../../ui/refusals/error-text.ts'
import { useToasts } from '../../ui/toast.tsx'
import type { OpenChat } from './chat-address.ts'
import css from './composer.module.css'
import {
  Delay,
  DeveloperSwitch,
  KindBar,
  KindChoice,
  MentionsAll,
  Options,
  OtherFaults,
  ReplyBar,
} from './composer-parts.tsx'
import { membersQuery, rereadConversation } from './conversation-queries.ts'
import { EmojiPicker } from './emoji-picker.tsx'
import { FormFilesContext } from './file-input.tsx'
import { FormFields } from './form-fields.tsx'
import { MentionPicker } from './mention-picker.tsx'
import { mentionsIn, withMention } from './mentions.ts'
import { QuickReplies } from './people/quick-replies.tsx'
import { useKeptDraft } from './people/use-drafts.ts'
import { RequestView } from './request-view.tsx'
import {
  bodyOf,
  emptyDraft,
  type FormDraft,
  pathsOf,
  type References,
  type SendRecipient,
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
import type { ThreadMessage } from './shown-messages.ts'
import { conversationTexts } from './texts/conversation-texts.ts'

type Send = (input: { body: unknown }) => Promise<unknown>

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

/** The forms that have a file of their own; any other form gives way to `media`. */
const TAKES_FILES: ReadonlySet<SendKind> = new Set(['media', 'sticker'])

export function Composer({ open, to, reply, onReplied, dropped, onTaken, takesFocus }: ComposerProps) {
  const t = useTexts(conversationTexts)
  const kinds = kindsFor(to)
  const { kind, setKind, form, draft, keep, drafts } = useDrafts(kinds[0] ?? 'text')
  const [delay, setDelay] = useState('')
  const mentions = useMentions(open, draft)
  const body = bodyOf(
    form,
    draft,
    { instanceName: open.instanceName, to },
    delay,
    referencesOf(reply, mentions.chosen),
  )
  const send = useSend(open, form, () => {
    keep(undefined)
    setKind(kinds[0] ?? 'text')
    mentions.setAll(false)
    onReplied()
  })
  const formElement = useRef<HTMLFormElement>(null)
  useFocus(formElement, { error: send.error, reply, takesFocus })
  const isPlain = kind === 'text' || kind === 'group'
  const isText = 'message' in draft
  useKeptDraft(open, isPlain ? draft : undefined, keep)
  const options = optionsOf(form)
  const developer = useDeveloper()
  const files = useFiles(dropped, onTaken, () => {
    // The form of a status shows its file only if the status is not a text.
    if (kind === 'status') keep({ ...draft, ...(draft.type === 'text' && { type: 'image' }) })
    else if (!TAKES_FILES.has(kind)) drafts.moveTo('media')
  })
  const submit = () => {
    if (send.isPending || files.isUploading) return
    send.mutate(body)
    if (isPlain) formElement.current?.querySelector('textarea')?.focus()
  }
  const change = resetting(send.reset)
  const faultAt = (path: string) => faultOf(send.error, path)
  const hasHiddenFault = hasFault(faultAt, ['delay', ...options.map(({ path }) => path)])
  const insert = (into: (text: string, at: number) => string) => {
    const area = formElement.current?.querySelector('textarea')
    const text = typeof draft.message === 'string' ? draft.message : ''
    change(keep)({ ...draft, message: into(text, area?.selectionStart ?? text.length) })
    area?.focus()
  }
  const mention = (who: string) =>
    who === 'all' ? mentions.setAll(true) : insert((text, at) => withMention(text, at, who))
  return (
    <form
      ref={formElement}
      className={css.composer}
      aria-label={t.compose}
      noValidate
      onPaste={files.onPaste}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {reply ? <ReplyBar reply={reply} onCancel={onReplied} /> : null}
      {isPlain || kinds.length === 1 ? null : (
        <KindBar title={t.kinds[kind]} onBack={() => change(setKind)(kinds[0] ?? 'text')} />
      )}
      {isPlain ? <QuickReplies draft={draft} onChange={change(keep)} /> : null}
      <div className={css.line} data-plain={isPlain}>
        <KindChoice kinds={kinds} kind={kind} onChange={change(setKind)} />
        {isText ? (
          <EmojiPicker onChoose={(emoji) => insert((text, at) => withEmoji(text, at, emoji))} />
        ) : null}
        <div className={css.composerForm} data-form={kind}>
          <FormFilesContext value={files.shared}>
            <FormFields
              fields={form.fields}
              draft={draft}
              at=""
              onChange={change(keep)}
              faultAt={faultAt}
              {...(isPlain ? { onEnter: submit } : {})}
            />
          </FormFilesContext>
          {mentions.isAll ? <MentionsAll onRemove={() => mentions.setAll(false)} /> : null}
        </div>
        {'groupJid' in to && isText ? <MentionPicker open={open} onChoose={mention} /> : null}
        <DeveloperSwitch isOn={developer.isOn} onChange={developer.set} />
        <Button kind="primary" submit busy={send.isPending || files.isUploading}>
          {draft.sendAt ? t.schedule : t.send}
        </Button>
      </div>
      <OtherFaults error={send.error} known={pathsOf([...form.fields, ...options], draft)} />
      {developer.isOn || hasHiddenFault ? (
        <div className={css.developerPanel}>
          <div className={css.composerForm}>
            <Options fields={options} draft={draft} onChange={change(keep)} faultAt={faultAt} />
            <Delay form={form} value={delay} onChange={change(setDelay)} fault={faultAt('delay')} />
          </div>
          <RequestView path={form.path} body={body} />
        </div>
      ) : null}
    </form>
  )
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

/** Dropped and pasted files, of which the first is offered to the form, and running uploads, which it waits for. */
function useFiles(dropped: readonly File[], onTaken: () => void, showForm: () => void) {
  const t = useTexts(conversationTexts)
  const toasts = useToasts()
  const [pasted, setPasted] = useState<readonly File[]>([])
  const [uploads, setUploads] = useState(0)
  const onUpload = useCallback(() => {
    setUploads((count) => count + 1)
    return () => setUploads((count) => count - 1)
  }, [])
  const files = dropped.length > 0 ? dropped : pasted
  const show = useRef(showForm)
  useEffect(() => {
    show.current = showForm
  })
  useEffect(() => {
    if (files.length > 0) show.current()
    if (files.length > 1) toasts.done(t.oneFileOnly(files[0]?.name ?? ''))
  }, [files, toasts, t])
  const taken = useCallback(() => {
    setPasted([])
    onTaken()
  }, [onTaken])
  const [offered] = files
  return {
    isUploading: uploads > 0,
    shared: useMemo(() => ({ offered, onTaken: taken, onUpload }), [offered, taken, onUpload]),
    onPaste(event: ClipboardEvent) {
      const found = [...event.clipboardData.files]
      if (found.length === 0) return
      event.preventDefault()
      setPasted(found)
    },
  }
}

function useSend(open: OpenChat, form: SendForm, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: unknown) => (api[form.route] as unknown as Send)({ body }),
    onSuccess() {
      onDone()
      void rereadConversation(queries, open)
    },
  })
}
