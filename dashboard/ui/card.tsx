// A card with a heading, and a list of facts for its content.

import type { ReactNode } from 'react'
import css from './card.module.css'

export interface CardProps {
  title: string
  actions?: ReactNode
  children: ReactNode
}

export const Card = ({ title, actions, children }: CardProps) => (
  <section className={css.card} data-card>
    <header>
      <h2>{title}</h2>
      {actions}
    </header>
    {children}
  </section>
)

export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={css.facts}>
    {facts.map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
  </dl>
)
