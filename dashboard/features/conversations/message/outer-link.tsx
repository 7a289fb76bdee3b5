// A link to an address that another person has sent.
import type { ReactNode } from 'react'
import css from './message-content.module.css'

/** Only http and https become links; other schemes stay text. */
export function OuterLink({ address, children }: { address: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(address)) return <span className={css.fileLink}>{children}</span>
  return (
    <a className={css.fileLink} href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}
