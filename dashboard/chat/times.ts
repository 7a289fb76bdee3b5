// Times in a chat: the hour beside a message, the day between messages, a short form in the list of chats.
import { useLocale } from '../ui/language.tsx'
import { oncePerLocale } from '../ui/once-per-locale.ts'

const DAY_MS = 86_400_000

/** An ISO time, or milliseconds. */
type Moment = string | number

const midnight = (time: Date): number =>
  new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()

/** Whether both are on the same day where the reader is. */
export const isSameDay = (one: Moment, other: Moment): boolean =>
  midnight(new Date(one)) === midnight(new Date(other))

export const useTimes = () => timesOf(useLocale())

const timesOf = oncePerLocale((locale) => {
  const hour = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  const shortDate = new Intl.DateTimeFormat(locale, { dateStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const daysAgo = (moment: Moment) => Math.round((midnight(new Date()) - midnight(new Date(moment))) / DAY_MS)
  const time = (moment: Moment) => hour.format(new Date(moment))
  return {
    time,
    /** Today, yesterday, or the date. */
    day(moment: Moment) {
      const days = daysAgo(moment)
      return days === 0 || days === 1 ? relative.format(-days, 'day') : date.format(new Date(moment))
    },
    /** The hour if it is today, otherwise the day. */
    short(moment: Moment) {
      const days = daysAgo(moment)
      if (days === 0) return time(moment)
      return days === 1 ? relative.format(-1, 'day') : shortDate.format(new Date(moment))
    },
  }
})
