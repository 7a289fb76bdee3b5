// A badge. Its text carries the full meaning; the colour only supports it.

import type { ReactNode } from 'react'
import css from './badge.module.css'
import { classNames } from './class-names.ts'

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={classNames(css.badge, tone !== 'plain' && css[tone])}>{children}</span>
)
