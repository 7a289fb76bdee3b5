// Chooses between a day, a week and a month.
import { useId } from 'react'
import { STATISTICS_RANGES, type StatisticsRange } from '../../../src/contract/values.ts'
import { useTexts } from '../../ui/language.tsx'
import css from './overview.module.css'
import { overviewTexts } from './texts/overview-texts.ts'

interface Props {
  range: StatisticsRange
  onChange(range: StatisticsRange): void
}

export function RangeChoice({ range, onChange }: Props) {
  const t = useTexts(overviewTexts)
  const name = useId()
  return (
    <fieldset className={css.ranges}>
      <legend className="sr-only">{t.range}</legend>
      {STATISTICS_RANGES.map((one) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === range} onChange={() => onChange(one)} />
          {t.ranges[one]}
        </label>
      ))}
    </fieldset>
  )
}
