// Whether this browser shows desktop notifications; kept for the next visit.
import { useState } from 'react'
import { NOTICES, type NoticeChoice } from './notices.ts'

const KEPT_AS = 'switchboard.notifications'

/** Off as well if the reader has taken the permission back in the browser. */
export function chosenNotices(): NoticeChoice {
  if (!canNotify() || Notification.permission !== 'granted') return 'off'
  return NOTICES.find((choice) => choice === localStorage.getItem(KEPT_AS)) ?? 'off'
}

/** Browsers have notifications only on a page that was loaded over HTTPS, or from this machine. */
export const canNotify = (): boolean => 'Notification' in globalThis

/** The function asks the browser for its permission. False: it was refused. */
export function useNoticeChoice(): [NoticeChoice, (choice: NoticeChoice) => Promise<boolean>] {
  const [choice, setChoice] = useState(chosenNotices)
  return [
    choice,
    async (next) => {
      const isAllowed = next === 'off' || (await Notification.requestPermission()) === 'granted'
      const kept = isAllowed ? next : 'off'
      localStorage.setItem(KEPT_AS, kept)
      setChoice(kept)
      return isAllowed
    },
  ]
}
