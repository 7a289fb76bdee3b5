// The mark beside a message that shows its status: a clock, one tick, two ticks, or an exclamation mark.
import type { MessageStatus } from '../../src/contract/sending.ts'
import { classNames } from '../ui/class-names.ts'
import css from './ticks.module.css'

interface Mark {
  path: string
  isCircled?: boolean
  tone?: string | undefined
}

const CLOCK: Mark = { path: 'M8 4.5V8l2.5 1.5', isCircled: true }
const TWO_TICKS: Mark = { path: 'M1 8.5 4 11.5 10 4.5M7.5 10.8l.7.7L14.5 4.5' }
const MARKS: Record<MessageStatus, Mark> = {
  awaiting_approval: CLOCK,
  scheduled: CLOCK,
  queued: CLOCK,
  sending: CLOCK,
  sent: { path: 'M3.5 8.5 6.5 11.5 12.5 4.5' },
  delivered: TWO_TICKS,
  read: { ...TWO_TICKS, tone: css.read },
  played: { ...TWO_TICKS, tone: css.read },
  failed: { path: 'M8 4v5M8 11.5v.5', isCircled: true, tone: css.failed },
}

/** Without a label it is decoration. */
export function Ticks({ status, label }: { status: MessageStatus; label?: string }) {
  const { path, isCircled, tone } = MARKS[status]
  return (
    <svg
      className={classNames(css.ticks, tone)}
      viewBox="0 0 16 16"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {isCircled ? <circle cx="8" cy="8" r="6" /> : null}
      <path d={path} />
    </svg>
  )
}
