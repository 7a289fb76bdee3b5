// Buttons, and links that look like one. `busy` disables a button while its action runs.

import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import css from './button.module.css'
import { classNames } from './class-names.ts'

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet'

const buttonClass = (kind: ButtonKind, small: boolean | undefined): string =>
  classNames(css.button, kind !== 'plain' && css[kind], small && css.small)

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  kind?: ButtonKind
  small?: boolean
  busy?: boolean
  submit?: boolean
  children: ReactNode
}

export function Button({ kind = 'plain', small, busy, submit, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={submit ? 'submit' : 'button'}
      className={buttonClass(kind, small)}
      disabled={disabled === true || busy === true}
      aria-busy={busy}
    >
      {children}
    </button>
  )
}

export interface ButtonLinkProps {
  href: string
  kind?: ButtonKind
  small?: boolean
  /** The accessible name, if the content is only a symbol. */
  label?: string
  children: ReactNode
}

export const ButtonLink = ({ href, kind = 'plain', small, label, children }: ButtonLinkProps) => (
  <Link className={buttonClass(kind, small)} href={href} aria-label={label}>
    {children}
  </Link>
)

/** To another site, in a new tab that cannot reach this page. */
export const ExternalButtonLink = ({ href, kind = 'plain', small, children }: ButtonLinkProps) => (
  <a className={buttonClass(kind, small)} href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
)
