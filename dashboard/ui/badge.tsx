// A word on a coloured ground. The word says it all: colour is only a help.
import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
)
