// A card with a heading, and the list of facts that many of them hold.
import type { ReactNode } from 'react'

export interface CardProps {
  title: string
  actions?: ReactNode
  children: ReactNode
}

export const Card = ({ title, actions, children }: CardProps) => (
  <section className="card">
    <header>
      <h2>{title}</h2>
      {actions}
    </header>
    {children}
  </section>
)

export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
  </dl>
)
