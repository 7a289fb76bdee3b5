// The banner that shows that the gateway is on hold, and why.
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { healthQuery } from '../gateway/queries.ts'
import { useTexts } from '../ui/language.tsx'
import { shellTexts } from './texts/shell-texts.ts'

const OPERATOR_PAGE = '/operator'

export function HeldBanner() {
  const { held: t } = useTexts(shellTexts)
  const [location] = useLocation()
  const held = useQuery(healthQuery).data?.held ?? null
  if (held === null) return null
  return (
    <div className="note warn row apart" role="status">
      <span>
        <strong>{t.title}</strong> {t.reasons[held]}
      </span>
      {held === 'restored' && location !== OPERATOR_PAGE ? (
        <Link href={OPERATOR_PAGE}>{t.toOperator}</Link>
      ) : null}
    </div>
  )
}
