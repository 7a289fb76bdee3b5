// The door: a key goes in, and is neither kept nor put into an address.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { ApiError } from '../api.ts'
import { Choices } from '../choices.tsx'
import { useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { type SignInKind, useSigning } from '../sign-in.ts'
import { shellTexts } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Form, TextField } from '../ui/fields.tsx'
import { PageHead } from '../ui/page-head.tsx'

export function SignInPage({ kind }: { kind: SignInKind }) {
  const { signIn: t } = useTexts(shellTexts)
  const errorText = useErrorText()
  const { signIn } = useSigning()
  const [key, setKey] = useState('')
  const [missing, setMissing] = useState(false)
  const enter = useMutation({ mutationFn: () => signIn(kind, key.trim()) })
  // Here only wrong keys are counted, and whoever has mistyped one wants to know how long to wait.
  const refusal = (error: Error): string =>
    error instanceof ApiError && error.reason === 'rate_limited'
      ? t.tooManyTries(error.retryAfterSeconds ?? 60)
      : errorText(error)
  const isOperator = kind === 'operator'
  const fault = missing ? t.required : enter.error ? refusal(enter.error) : undefined
  return (
    <main className="sign-in">
      <div>
        <span className="brand">
          <img src="/icon.svg" alt="" />
          Switchboard
        </span>
        <section className="card">
          <PageHead
            title={isOperator ? t.operatorTitle : t.title}
            lead={isOperator ? t.operatorLead : t.lead}
          />
          <Form
            onSubmit={() => {
              setMissing(key.trim() === '')
              if (key.trim() !== '') enter.mutate()
            }}
          >
            <TextField
              label={isOperator ? t.operatorKey : t.key}
              hint={isOperator ? undefined : t.keyHint}
              fault={fault}
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={key}
              onChange={setKey}
            />
            <Button kind="primary" submit busy={enter.isPending}>
              {t.submit}
            </Button>
          </Form>
          <Link className="small" href={isOperator ? '/instances' : '/operator'}>
            {isOperator ? t.asAccount : t.asOperator}
          </Link>
        </section>
        <div className="row">
          <Choices />
        </div>
      </div>
    </main>
  )
}
