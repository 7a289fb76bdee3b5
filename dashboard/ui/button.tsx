// Buttons. `busy` keeps a second click from doing it twice.
import type { ButtonHTMLAttributes, ReactNode } from 'react'

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet'
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
      className={`button ${kind}${small ? ' small' : ''}`}
      disabled={disabled === true || busy === true}
      aria-busy={busy}
    >
      {children}
    </button>
  )
}
