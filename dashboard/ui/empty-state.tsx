// Shown in place of an empty list: what the list is for, and the next useful step.
import type { ReactNode } from 'react'
import css from './empty-state.module.css'
import { Icon, type IconName } from './icons.tsx'

export interface EmptyStateProps {
  icon?: IconName
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
