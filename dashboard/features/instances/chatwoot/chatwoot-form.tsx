// The form that connects an instance with Chatwoot, or changes the connection. The stored token is never shown.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api } from '../../../gateway/api.ts'
import { Checks, TextField, type TextFieldProps } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { faultOf } from '../../../ui/refusals/error-text.ts'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import {
  bodyOf,
  type ChatwootFields,
  fieldsOf,
  missingIn,
  type ShownBridge,
  SWITCHES,
} from './chatwoot-fields.ts'
import { chatwootTexts } from './texts/chatwoot-texts.ts'

export interface ChatwootFormProps {
  instanceName: string
  /** The connection to change; undefined: there is none. */
  bridge?: ShownBridge
  onClose(): void
}

type TextName = Exclude<keyof ChatwootFields, 'chosen'>
const NAMES: readonly TextName[] = ['url', 'accountId', 'token', 'inboxName', 'gatewayUrl']

export function ChatwootForm({ instanceName, bridge, onClose }: ChatwootFormProps) {
  const t = useTexts(chatwootTexts)
  const ui = useTexts(uiTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [fields, setFields] = useState(() => fieldsOf(bridge, window.location.origin))
  const [tried, setTried] = useState(false)
  const missing = missingIn(fields, bridge)
  const save = useMutation({
    mutationFn: () => api.saveChatwoot({ params: { instanceName }, body: bodyOf(fields, bridge) }),
    onSuccess() {
      toasts.done(t.saved)
      onClose()
      for (const queryKey of [['webhooks'], ['chatwoot', instanceName]])
        void queries.invalidateQueries({ queryKey })
    },
  })
  const text = (name: TextName, label: string, more: Partial<TextFieldProps> = {}) => (
    <TextField
      label={label}
      fault={tried && missing[name] ? t.required : faultOf(save.error, name)}
      autoComplete="off"
      spellCheck={false}
      {...more}
      value={fields[name]}
      onChange={(value) => setFields({ ...fields, [name]: value })}
    />
  )
  const isNamed = NAMES.some((name) => faultOf(save.error, name) !== undefined)
  return (
    <FormDialog
      title={bridge ? t.edit : t.connect}
      action={bridge ? ui.save : t.submit}
      isPending={save.isPending}
      onSubmit={() => {
        setTried(true)
        if (!Object.values(missing).includes(true)) save.mutate()
      }}
      onClose={onClose}
    >
      {text('url', t.url, { type: 'url', inputMode: 'url', placeholder: 'https://' })}
      {text('accountId', t.accountId, { hint: t.accountIdHint, inputMode: 'numeric' })}
      {text('token', t.token, {
        hint: bridge ? t.tokenHintEdit : t.tokenHint,
        type: 'password',
        autoComplete: 'new-password',
        maxLength: 256,
      })}
      {text('inboxName', t.inbox, { hint: t.inboxHint, maxLength: 128 })}
      {text('gatewayUrl', t.gatewayUrl, { type: 'url', inputMode: 'url' })}
      <Checks
        label={t.options}
        options={SWITCHES.map((name) => [name, t.switches[name]])}
        chosen={fields.chosen}
        onChange={(chosen) => setFields({ ...fields, chosen })}
      />
      {save.error && !isNamed ? <Refusal error={save.error} /> : null}
    </FormDialog>
  )
}

/** With what Chatwoot answered, which the sentence of the dashboard does not contain. */
const Refusal = ({ error }: { error: Error }) => (
  <>
    <ErrorNote error={error} />
    {error instanceof ApiError && error.reason === 'chatwoot_failed' ? (
      <p className="muted small">{error.message}</p>
    ) : null}
  </>
)
