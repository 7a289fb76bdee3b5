// The avatar of a person, a group or an instance: the profile picture if there is one, otherwise initials.
import { useState } from 'react'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icons.tsx'
import css from './avatar.module.css'

const TONES = [undefined, css.tone1, css.tone2, css.tone3, css.tone4, css.tone5]
const API = '/api/v1/'

/** A number and its jid have the same colour, so that a person looks the same in a conversation and on a phone. */
function toneOf(id: string): string | undefined {
  let sum = 0
  for (const character of id.split('@')[0] ?? id) {
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  }
  return TONES[sum % TONES.length]
}

function initialsOf(title: string): string {
  const letters = title.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  // The first digits of two numbers are mostly the same: a name has two initials, a number one digit.
  const isName = /^\p{L}/u.test(letters[1] ?? '')
  return letters
    .slice(0, isName ? 2 : 1)
    .join('')
    .toUpperCase()
}

/** Relative to this origin, because the session cookie is valid here and not at the public address of the API. */
function sameOriginAddress(url: string | null | undefined): string | undefined {
  if (url?.startsWith('/')) return url
  const parsed = url ? URL.parse(url) : null
  const from = parsed?.pathname.indexOf(API) ?? -1
  return parsed && from >= 0 ? parsed.pathname.slice(from) + parsed.search : undefined
}

export interface AvatarProps {
  /** A jid or a number; selects the colour. */
  id: string
  title: string
  /** `profilePictureUrl` of the API, or a path of this origin. */
  picture?: string | null | undefined
}

export function Avatar({ id, title, picture }: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  const address = sameOriginAddress(picture)
  const sign = id.endsWith('@g.us') ? <Icon name="people" /> : initialsOf(title) || '#'
  return (
    <span className={classNames(css.avatar, toneOf(id))} aria-hidden="true">
      {address === undefined || address === failed ? (
        sign
      ) : (
        <img src={address} alt="" loading="lazy" decoding="async" onError={() => setFailed(address)} />
      )}
    </span>
  )
}
