// What stands where a list has nothing: what it is for, and the way to the first one.
import type { ReactNode } from 'react'

export const EmptyState = ({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) => (
  <div className="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
)
