// The dialog with the quick replies of the account: a list, and a form for one of them.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_QUICK_REPLY_LENGTH } from '../../../../src/contract/values.ts'
import { api } from '../../../gateway/api.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form, TextField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Loaded } from '../../../ui/page-head.tsx'
import { faultOf, useErrorText } from '../../../ui/refusals/error-text.ts'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { quickRepliesQuery } from '../model/people-queries.ts'
import { peopleTexts } from '../texts/people-texts.ts'
import type { QuickReply } from './quick-match.ts'
import css from './quick-replies-dialog.module.css'

const MAX_SHORTCUT = 32

export function QuickRepliesDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(peopleTexts)
  // Null: a new one. Undefined: the list is shown.
  const [edited, setEdited] = useState<QuickReply | null>()
  return (
    <Dialog title={t.quickReplies} onClose={onClose}>
      {edited === undefined ? (
        <ReplyList onEdit={setEdited} onClose={onClose} />
      ) : (
        <ReplyForm reply={edited} onDone={() => setEdited(undefined)} />
      )}
    </Dialog>
  )
}

function ReplyList({ onEdit, onClose }: { onEdit(reply: QuickReply | null): void; onClose(): void }) {
  const t = useTexts(peopleTexts)
  const ui = useTexts(uiTexts)
  const query = useQuery(quickRepliesQuery)
  return (
    <>
      <p className="muted">{t.quickIntro}</p>
      <Loaded query={query}>
        {(replies) =>
          replies.length === 0 ? (
            <p>{t.noQuickReplies}</p>
          ) : (
            <ul className={css.replies}>
              {replies.map((reply) => (
                <ReplyRow key={reply.id} reply={reply} onEdit={() => onEdit(reply)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <div className="row end">
        <Button onClick={onClose}>{ui.close}</Button>
        <Button kind="primary" onClick={() => onEdit(null)}>
          {t.addReply}
        </Button>
      </div>
    </>
  )
}

function ReplyRow({ reply, onEdit }: { reply: QuickReply; onEdit(): void }) {
  const t = useTexts(peopleTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.deleteQuickReply({ params: { id: String(reply.id) } }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: quickRepliesQuery.queryKey })
      toasts.done(t.replyDeleted)
    },
    onError: toasts.failed,
  })
  return (
    <li>
      <button type="button" className={css.reply} title={t.editReply(reply.shortcut)} onClick={onEdit}>
        <strong className="wrap">/{reply.shortcut}</strong>
        <span className="muted small cut">{reply.text}</span>
      </button>
      <Button
        kind="quiet"
        small
        busy={remove.isPending}
        aria-label={t.deleteReply(reply.shortcut)}
        onClick={() => remove.mutate()}
      >
        ✕
      </Button>
    </li>
  )
}

function ReplyForm({ reply, onDone }: { reply: QuickReply | null; onDone(): void }) {
  const t = useTexts(peopleTexts)
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? '')
  const [text, setText] = useState(reply?.text ?? '')
  const [isTried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () => {
      const body = { shortcut: shortcut.trim().replace(/^\//, ''), text }
      return reply === null
        ? api.createQuickReply({ body })
        : api.updateQuickReply({ params: { id: String(reply.id) }, body })
    },
    onSuccess() {
      void queries.invalidateQueries({ queryKey: quickRepliesQuery.queryKey })
      onDone()
    },
  })
  const [noShortcut, noText] = [shortcut.trim() === '', text.trim() === '']
  const textFault = faultOf(save.error, 'text')
  const shortcutFault =
    faultOf(save.error, 'shortcut') ?? (save.error && !textFault ? errorText(save.error) : undefined)
  const submit = () => {
    setTried(true)
    if (!noShortcut && !noText) save.mutate()
  }
  return (
    <Form onSubmit={submit}>
      <TextField
        label={t.shortcut}
        hint={t.shortcutHint}
        fault={isTried && noShortcut ? t.required : shortcutFault}
        maxLength={MAX_SHORTCUT + 1}
        value={shortcut}
        onChange={setShortcut}
      />
      <AreaField
        label={t.replyText}
        rows={4}
        fault={isTried && noText ? t.required : textFault}
        maxLength={MAX_QUICK_REPLY_LENGTH}
        value={text}
        onChange={setText}
      />
      <div className="row end">
        <Button onClick={onDone}>{t.back}</Button>
        <Button kind="primary" submit busy={save.isPending}>
          {ui.save}
        </Button>
      </div>
    </Form>
  )
}
