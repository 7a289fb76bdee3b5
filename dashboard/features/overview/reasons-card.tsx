// Counts by reason, the most frequent first, each with a bar for its share.
import { Card } from '../../ui/card.tsx'
import { useFormat } from '../../ui/language.tsx'
import css from './overview.module.css'

/** Rarer reasons would only push the others out of sight. */
const SHOWN = 8

interface Props {
  title: string
  /** Shown instead of the list if it is empty. */
  none: string
  counts: readonly { reason: string; count: number }[]
  nameOf(reason: string): string
}

export function ReasonsCard({ title, none, counts, nameOf }: Props) {
  const format = useFormat()
  const most = counts[0]?.count ?? 1
  return (
    <Card title={title}>
      {counts.length === 0 ? (
        <p className="muted small">{none}</p>
      ) : (
        <ul className={css.reasons}>
          {counts.slice(0, SHOWN).map(({ reason, count }) => (
            <li key={reason}>
              <div className="row apart">
                <span>{nameOf(reason)}</span>
                <strong className="number">{format.number(count)}</strong>
              </div>
              <div className={css.share} style={{ width: `${(count / most) * 100}%` }} aria-hidden="true" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
