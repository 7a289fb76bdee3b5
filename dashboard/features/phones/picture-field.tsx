// Shows a profile picture, and lets the reader replace or remove it.

import { useId } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { useTexts } from '../../ui/language.tsx'
import { base64Of } from './base64.ts'
import phoneCss from './phone.module.css'
import { useAct } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

export interface PictureFieldProps {
  /** The number or the id of the group. */
  id: string
  title: string
  picture: string | null
  onChange(base64: string | null): void
}

export function PictureField({ id, title, picture, onChange }: PictureFieldProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const label = useId()
  return (
    <div className={phoneCss.personHead}>
      <Avatar id={id} title={title} picture={picture} />
      <span id={label} className="sr-only">
        {t.profile.picture}
      </span>
      <input
        type="file"
        accept="image/*"
        className={phoneCss.fileInput}
        aria-labelledby={label}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) act(base64Of(file).then(onChange))
        }}
      />
      {picture === null ? null : (
        <Button small onClick={() => onChange(null)}>
          {t.profile.removePicture}
        </Button>
      )}
    </div>
  )
}
