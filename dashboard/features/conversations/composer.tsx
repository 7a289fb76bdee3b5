// The form to write a message of any kind, and the equivalent API request.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { faultOf } from '../../ui/refusals/error-text.ts'
import type { OpenChat } from './chat-address.ts'
import css from './composer.module.css'
import { rereadConversation } from './conversation-queries.ts'
import { FormFields } from './form-fields.tsx'
import { RequestView } from './request-view.tsx'
import { bodyOf, type Draft, emptyDraft, pathsOf, type Recipient } from './send-body.ts'
import { KINDS_FOR_PEOPLE, SEND_FORMS, type SendForm, type SendKind } from './send-forms.ts'
import { conversationTexts } from './texts/conversation-texts.ts'

type Send = (input: { body: unknown }) => Promise<unknown>

export function Composer({ open, to }: { open: OpenChat; to: Recipient['to'] }) {
  const t = useTexts(conversationTexts)
  const kinds: readonly SendKind[] = 'groupJid' in to ? ['group'] : KINDS_FOR_PEOPLE
  const [kind, setKind] = useState<SendKind>(kinds[0] ?? 'text')
  // Keeps the draft of each kind when the reader switches between kinds.
  const [drafts, setDrafts] = useState<Partial<Record<SendKind, Draft>>>({})
  const [delay, setDelay] = useState('')
  const form: SendForm = SEND_FORMS[kind]
  const draft = drafts[kind] ?? emptyDraft(form.fields)
  const keep = (next: Draft | undefined) => setDrafts((all) => ({ ...all, [kind]: next }))
  const body = bodyOf(form, draft, { instanceName: open.instanceName, to }, delay)
  const send = useSend(open, form, () => keep(undefined))
  const place = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (send.error) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [send.error])
  const isPlain = kind === 'text' || kind === 'group'
  const submit = () => {
    if (send.isPending) return
    send.mutate(body)
    if (isPlain) place.current?.querySelector('textarea')?.focus()
  }
  const change =
    <V,>(set: (value: V) => void) =>
    (value: V) => {
      send.reset()
      set(value)
    }
  return (
    <form
      ref={place}
      className={css.composer}
      aria-label={t.compose}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {kinds.length > 1 ? <KindChoice kinds={kinds} kind={kind} onChange={change(setKind)} /> : null}
      <div className={css.composerParts}>
        <div className={css.composerForm} data-form={kind}>
          <FormFields
            fields={form.fields}
            draft={draft}
            at=""
            onChange={change(keep)}
            faultAt={(path) => faultOf(send.error, path)}
            {...(isPlain ? { onEnter: submit } : {})}
          />
          <OtherFaults error={send.error} known={pathsOf(form.fields, draft)} />
          <div className={css.composerFoot}>
            <TextField
              label={t.delay}
              placeholder={t.delays[form.usualDelay]}
              inputMode="numeric"
              value={delay}
              onChange={change(setDelay)}
              fault={faultOf(send.error, 'delay')}
            />
            <Button kind="primary" submit busy={send.isPending}>
              {t.send}
            </Button>
          </div>
        </div>
        <RequestView path={form.path} body={body} />
      </div>
    </form>
  )
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

function KindChoice({
  kinds,
  kind,
  onChange,
}: {
  kinds: readonly SendKind[]
  kind: SendKind
  onChange(kind: SendKind): void
}) {
  const t = useTexts(conversationTexts)
  return (
    <fieldset className={css.kinds}>
      <legend className="sr-only">{t.kind}</legend>
      {kinds.map((one) => (
        <label key={one}>
          <input type="radio" name="kind" checked={one === kind} onChange={() => onChange(one)} />
          <span>{t.kinds[one]}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Errors that belong to no field of the form. */
function OtherFaults({ error, known }: { error: unknown; known: ReadonlySet<string> }) {
  if (!error) return null
  const details = error instanceof ApiError ? error.details : []
  const homeless = details.filter(({ path }) => path !== 'delay' && !known.has(path))
  if (details.length > 0 && homeless.length === 0) return null
  if (homeless.length === 0) return <ErrorNote error={error} />
  return (
    <div className="note bad" role="alert">
      {homeless.map(({ path, message }) => (
        <div key={path}>
          <code>{path}</code> {message}
        </div>
      ))}
    </div>
  )
}
