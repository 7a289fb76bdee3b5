// Times as a conversation shows them: the hour beside a message, the day between them.
import { useMemo } from 'react'
import { useLocale } from '../language.tsx'

const DAY_MS = 86_400_000

const midnight = (time: Date): number =>
  new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()

export function useTimes() {
  const locale = useLocale()
  return useMemo(() => {
    const hour = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
    const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
    const shortDate = new Intl.DateTimeFormat(locale, { dateStyle: 'short' })
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
    const daysAgo = (iso: string) => Math.round((midnight(new Date()) - midnight(new Date(iso))) / DAY_MS)
    const time = (iso: string) => hour.format(new Date(iso))
    return {
      time,
      /** Today, yesterday, or the date. */
      day(iso: string) {
        const days = daysAgo(iso)
        return days === 0 || days === 1 ? relative.format(-days, 'day') : date.format(new Date(iso))
      },
      /** The hour of today, or the day. */
      short(iso: string) {
        const days = daysAgo(iso)
        if (days === 0) return time(iso)
        return days === 1 ? relative.format(-1, 'day') : shortDate.format(new Date(iso))
      },
    }
  }, [locale])
}
