// Writing a message of any kind: the form that its table asks for, and the request that it stands for.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '../api.ts'
import { faultOf } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { conversationTexts } from '../texts/conversations.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { ErrorNote } from '../ui/page-head.tsx'
import { FormFields } from './form-fields.tsx'
import type { OpenChat } from './place.ts'
import { rereadConversation } from './reading.ts'
import { RequestView } from './request-view.tsx'
import { bodyOf, type Draft, emptyDraft, pathsOf, type Recipient } from './send-body.ts'
import { KINDS_FOR_PEOPLE, SEND_FORMS, type SendForm, type SendKind } from './send-forms.ts'

type Send = (input: { body: unknown }) => Promise<unknown>

export function Composer({ open, to }: { open: OpenChat; to: Recipient['to'] }) {
  const t = useTexts(conversationTexts)
  const kinds: readonly SendKind[] = 'groupJid' in to ? ['group'] : KINDS_FOR_PEOPLE
  const [kind, setKind] = useState<SendKind>(kinds[0] ?? 'text')
  // What was begun in one kind is still there after a look at another.
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
      className="composer"
      aria-label={t.compose}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {kinds.length > 1 ? <KindChoice kinds={kinds} kind={kind} onChange={change(setKind)} /> : null}
      <div className="composer-parts">
        <div className={isPlain ? 'composer-form plain' : 'composer-form'}>
          <FormFields
            fields={form.fields}
            draft={draft}
            at=""
            onChange={change(keep)}
            faultAt={(path) => faultOf(send.error, path)}
            {...(isPlain ? { onEnter: submit } : {})}
          />
          <OtherFaults error={send.error} known={pathsOf(form.fields, draft)} />
          <div className="composer-foot">
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
    <fieldset className="kinds">
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

/** What was refused for a reason that stands at no field. */
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
