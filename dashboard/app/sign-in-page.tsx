// The sign-in form. The key is never stored and never part of a URL.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { SignInKind } from '../../src/contract/session.ts'
import { ApiError } from '../gateway/api.ts'
import { useSigning } from '../gateway/sign-in.ts'
import { Button } from '../ui/button.tsx'
import cardCss from '../ui/card.module.css'
import { Form, TextField } from '../ui/fields.tsx'
import { useTexts } from '../ui/language.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useErrorText } from '../ui/refusals/error-text.ts'
import { Brand } from './brand.tsx'
import { HeldBanner } from './hold-banner.tsx'
import { PreferencesMenu } from './preferences-menu.tsx'
import css from './sign-in-page.module.css'
import { shellTexts } from './texts/shell-texts.ts'

export function SignInPage({ kind }: { kind: SignInKind }) {
  const { signIn: t } = useTexts(shellTexts)
  const errorText = useErrorText()
  const { signIn } = useSigning()
  const [key, setKey] = useState('')
  const [missing, setMissing] = useState(false)
  const enter = useMutation({ mutationFn: () => signIn(kind, key.trim()) })
  // Only wrong keys are rate-limited here, so the message states how long to wait.
  const refusal = (error: Error): string =>
    error instanceof ApiError && error.reason === 'rate_limited'
      ? t.tooManyTries(error.retryAfterSeconds ?? 60)
      : errorText(error)
  const isOperator = kind === 'operator'
  const fault = missing ? t.required : enter.error ? refusal(enter.error) : undefined
  return (
    <main className={css.signIn}>
      <div>
        <Brand />
        <HeldBanner />
        <section className={cardCss.card}>
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
          <PreferencesMenu />
        </div>
      </div>
    </main>
  )
}
