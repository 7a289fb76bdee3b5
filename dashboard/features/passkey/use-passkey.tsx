// The two ways to the passkey: the browser extension, or lines for the console of the official page and a field for their result.

import { useState } from 'react'
import { AreaField } from '../../ui/area-field.tsx'
import { Button, ExternalButtonLink } from '../../ui/button.tsx'
import { Form } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import { officialAddress, type PasskeyRequest } from './handover.ts'
import css from './passkey-step.module.css'
import { snippetFor } from './snippet.ts'
import { passkeyTexts } from './texts/passkey-texts.ts'

interface Props {
  request: PasskeyRequest
  isBusy: boolean
  fault: string | undefined
  onResult(text: string): void
}

export function UsePasskey(props: Props) {
  const t = useTexts(passkeyTexts)
  return (
    <div className="stack">
      <p>{t.why}</p>
      <Steps text={t.steps} />
      <div className="row">
        <ExternalButtonLink kind="primary" href={officialAddress(props.request, location.origin)}>
          {t.open}
        </ExternalButtonLink>
        <span className="muted small">{t.opensTab}</span>
      </div>
      <details>
        <summary>{t.without}</summary>
        <WithoutExtension {...props} />
      </details>
    </div>
  )
}

const Steps = ({ text }: { text: string }) => (
  <ol className={css.steps}>
    {text.split('\n').map((step) => (
      <li key={step}>{step}</li>
    ))}
  </ol>
)

function WithoutExtension({ request, isBusy, fault, onResult }: Props) {
  const t = useTexts(passkeyTexts)
  const [text, setText] = useState('')
  const snippet = snippetFor(request, {
    comment: t.snippetComment(request.instanceName, location.host),
    button: t.snippetButton(location.host),
  })
  return (
    <div className="stack">
      <p className="note bad">{t.warning}</p>
      <Steps text={t.manual} />
      <TextBlock label={t.snippet} text={snippet} />
      <Form onSubmit={() => onResult(text)}>
        <AreaField
          label={t.result}
          fault={fault}
          value={text}
          onChange={setText}
          autoComplete="off"
          spellCheck={false}
        />
        <div>
          <Button submit busy={isBusy} disabled={text.trim() === ''}>
            {t.send}
          </Button>
        </div>
      </Form>
    </div>
  )
}
