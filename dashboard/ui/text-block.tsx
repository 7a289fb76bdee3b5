// A long text with a button that copies it. React escapes it, so markup stays text.

import { useState } from 'react'
import { Button } from './button.tsx'
import { useTexts } from './language.tsx'
import css from './text-block.module.css'
import { uiTexts } from './texts/ui-texts.ts'

const SHOWN_MS = 1500

export interface TextBlockProps {
  label: string
  text: string
  /** What the button copies, if it differs from the shown text. */
  copied?: string
}

export function TextBlock({ label, text, copied = text }: TextBlockProps) {
  const t = useTexts(uiTexts)
  const [isCopied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(copied)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <figure className={css.textBlock}>
      <figcaption className="row apart">
        <span className="muted small">{label}</span>
        <Button kind="quiet" small aria-label={`${t.copy}: ${label}`} onClick={() => void copy()}>
          {isCopied ? t.copied : t.copy}
        </Button>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard */}
      <pre className={css.json} tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </figure>
  )
}

/** Formats JSON on several lines; returns any other text unchanged. */
export function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2)
  } catch {
    return json
  }
}
