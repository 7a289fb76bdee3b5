// Files that come into the composer: dropped, pasted, chosen, and recorded.
import { type ClipboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../../ui/language.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import type { Attachments } from './use-attachments.ts'

interface FileTargets {
  /** Whether the form has a file of its own. */
  toForm: boolean
  onForm(): void
  onTray(files: readonly File[]): void
}

/** Dropped, pasted and chosen files. A form takes one of them; with a text go all. It also counts the uploads of the form. */
export function useComposerFiles(dropped: readonly File[], onTaken: () => void, targets: FileTargets) {
  const t = useTexts(conversationTexts)
  const toasts = useToasts()
  const [given, setGiven] = useState<readonly File[]>([])
  const [uploads, setUploads] = useState(0)
  const onUpload = useCallback(() => {
    setUploads((count) => count + 1)
    return () => setUploads((count) => count - 1)
  }, [])
  const files = dropped.length > 0 ? dropped : given
  const taken = useCallback(() => {
    setGiven([])
    onTaken()
  }, [onTaken])
  const latest = useRef(targets)
  useEffect(() => {
    latest.current = targets
  })
  useEffect(() => {
    if (files.length === 0) return
    if (latest.current.toForm) {
      latest.current.onForm()
      if (files.length > 1) toasts.done(t.oneFileOnly(files[0]?.name ?? ''))
    } else {
      latest.current.onTray(files)
      taken()
    }
  }, [files, taken, toasts, t])
  const offered = targets.toForm ? files[0] : undefined
  return {
    isUploading: uploads > 0,
    shared: useMemo(() => ({ offered, onTaken: taken, onUpload }), [offered, taken, onUpload]),
    onChosen: setGiven,
    onPaste(event: ClipboardEvent) {
      const found = [...event.clipboardData.files]
      if (found.length === 0) return
      event.preventDefault()
      setGiven(found)
    },
  }
}

/** The recorder, and its result, which is sent as soon as it is uploaded. */
export function useVoice(attachments: Attachments, submit: () => void) {
  const [isOpen, setOpen] = useState(false)
  const isDue = useRef(false)
  const isReady = !attachments.isUploading && attachments.uploaded.length > 0
  const latest = useRef(submit)
  useEffect(() => {
    latest.current = submit
  })
  useEffect(() => {
    if (!isReady || !isDue.current) return
    isDue.current = false
    latest.current()
  }, [isReady])
  return {
    isOpen,
    open: () => setOpen(true),
    close: () => setOpen(false),
    onDone(file: File) {
      setOpen(false)
      isDue.current = true
      attachments.add([file])
    },
  }
}
