// Shows a key or a secret once.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyField } from './copy-field.tsx'
import { Dialog } from './dialog.tsx'

export interface ShownOnceProps {
  title: string
  text: string
  label: string
  secret: string
  /** The text of the button. */
  action: string
  onClose(): void
  children?: ReactNode
}

export const ShownOnce = ({ title, text, label, secret, action, onClose, children }: ShownOnceProps) => (
  <Dialog title={title} onClose={onClose}>
    <p>{text}</p>
    <CopyField label={label} value={secret} />
    {children}
    <div className="row end">
      <Button kind="primary" onClick={onClose}>
        {action}
      </Button>
    </div>
  </Dialog>
)
