// A longer text as it is, to read and to take along. Text stays text: React writes no markup of it.
import { useState } from 'react'
import { useTexts } from '../language.tsx'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'

const SAID_MS = 1500

export interface TextBlockProps {
  label: string
  text: string
  /** What the button copies, where it is not what is shown. */
  copied?: string
}

export function TextBlock({ label, text, copied = text }: TextBlockProps) {
  const t = useTexts(uiTexts)
  const [said, say] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(copied)
    say(true)
    setTimeout(() => say(false), SAID_MS)
  }
  return (
    <figure className="text-block">
      <figcaption className="row apart">
        <span className="muted small">{label}</span>
        <Button kind="quiet" small aria-label={`${t.copy}: ${label}`} onClick={() => void copy()}>
          {said ? t.copied : t.copy}
        </Button>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard */}
      <pre className="json" tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </figure>
  )
}

/** JSON on many lines; what is none stays as it is. */
export function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2)
  } catch {
    return json
  }
}
