// Times on a phone: timers of disappearing messages, and pins and mutes.
import { TIMER_SECONDS } from '../../../src/contract/values.ts'
import { useTexts } from '../../ui/language.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

const TIMERS = {
  off: TIMER_SECONDS.off,
  hours24: TIMER_SECONDS.day,
  days7: TIMER_SECONDS.week,
  days90: TIMER_SECONDS.quarter,
} as const

/** In milliseconds. */
export const isOver = (time: number): boolean => time <= Date.now()

/** A message keeps the time of its pin after the pin has expired. */
export const isPinnedNow = ({ pinnedUntil = 0 }: { pinnedUntil?: number | undefined }): boolean =>
  !isOver(pinnedUntil * 1000)

export const isMutedNow = (mutedUntil: number | null): mutedUntil is number =>
  mutedUntil !== null && !isOver(mutedUntil)

/** The options of a field, and the name of each timer. */
export function useTimers() {
  const { timers } = useTexts(phoneTexts)
  const options = (Object.keys(TIMERS) as (keyof typeof TIMERS)[]).map(
    (name) => [String(TIMERS[name]), timers[name]] as const,
  )
  return { options, nameOf: (seconds: number) => options.find(([value]) => value === String(seconds))?.[1] }
}
