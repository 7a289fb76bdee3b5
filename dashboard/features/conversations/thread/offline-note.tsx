// Says that the gateway cannot be reached, and what happens to messages meanwhile.
import { onlineManager } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLiveState } from '../../../gateway/live.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useTexts } from '../../../ui/language.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './offline-note.module.css'

/** Proxies end the stream of events now and then; it is back within a second. */
const PATIENCE_MS = 3000

export function OfflineNote() {
  const t = useTexts(conversationTexts)
  const isOnline = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
  const isUnreachable = useIsUnreachable()
  const text = isOnline ? (isUnreachable ? t.unreachable : null) : t.offline
  return (
    <div role="status">
      {text === null ? null : <p className={classNames(css.offline, 'note')}>{text}</p>}
    </div>
  )
}

/** The stream of events has been gone for some seconds. */
function useIsUnreachable(): boolean {
  const state = useLiveState()
  const isGone = state === 'waiting' || state === 'connecting'
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isGone) return
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isGone])
  return isGone && isLong
}
