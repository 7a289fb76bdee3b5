// Shown in place of an empty list or page: what it is for, and the next useful step.
import type { ReactNode } from 'react'
import { ButtonLink } from './button.tsx'
import css from './empty-state.module.css'
import { Icon, type IconName } from './icons.tsx'
import { PageHead } from './page-head.tsx'

export interface EmptyStateProps {
  icon?: IconName | undefined
  title: string
  children: ReactNode
  /** Buttons or links, the most useful one first. */
  action?: ReactNode
}

export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <div className={css.empty}>
    {icon === undefined ? null : (
      <span className={css.icon}>
        <Icon name={icon} />
      </span>
    )}
    <h2>{title}</h2>
    <p>{children}</p>
    {action === undefined ? null : <div className={css.actions}>{action}</div>}
  </div>
)

export interface EmptyPageProps {
  title: string
  lead?: string
  icon?: IconName
  /** Why the page is empty. */
  reason: string
  text: string
  link: { href: string; text: string }
}

/** A page without content: its head, why it is empty, and a link to the next useful page. */
export const EmptyPage = ({ title, lead, icon, reason, text, link }: EmptyPageProps) => (
  <>
    <PageHead title={title} lead={lead} />
    <EmptyState
      icon={icon}
      title={reason}
      action={
        <ButtonLink kind="primary" href={link.href}>
          {link.text}
        </ButtonLink>
      }
    >
      {text}
    </EmptyState>
  </>
)
