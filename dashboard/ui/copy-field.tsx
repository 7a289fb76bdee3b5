// A value with a button that copies it.

import { useState } from 'react'
import { Button } from './button.tsx'
import css from './copy-field.module.css'
import { useTexts } from './language.tsx'
import { uiTexts } from './texts/ui-texts.ts'

const SAID_MS = 1500

export function CopyField({ value, label }: { value: string; label: string }) {
  const t = useTexts(uiTexts)
  const [copied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), SAID_MS)
  }
  return (
    <div className={css.copy}>
      <code>{value}</code>
      <Button kind="quiet" small aria-label={`${t.copy}: ${label}`} onClick={() => void copy()}>
        {copied ? t.copied : t.copy}
      </Button>
    </div>
  )
}
