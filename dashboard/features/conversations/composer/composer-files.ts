// Files in the composer: how they come into it, their upload, and the recorder.

import { type ClipboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { MEDIA_LIMIT_BYTES } from '../../../../src/contract/media-limits.ts'
import { addressOf } from '../../../gateway/api.ts'
import { upload } from '../../../gateway/upload.ts'
import { useTexts } from '../../../ui/language.tsx'
import { useErrorText } from '../../../ui/refusals/error-text.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { fileLoader, useSize } from '../message/use-file.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import type { ReadyFile, SendRequest } from './send-body.ts'
import { sentAs } from './send-forms.ts'

// The files that are chosen for the next message: each is uploaded at once, and shown small until it is sent.

export interface Attachment {
  id: number
  file: File
  /** The address of a picture. */
  preview: string | undefined
  /** How much has been uploaded, from 0 to 1. */
  share: number
  mediaId: string | undefined
  error: string | undefined
  abort: AbortController
}

/** More at once are probably a folder that was dropped by mistake. */
const MOST_FILES = 30

export interface Attachments {
  list: readonly Attachment[]
  isUploading: boolean
  /** Those that can be sent. */
  uploaded: readonly ReadyFile[]
  add(files: readonly File[]): void
  remove(id: number): void
  /** Those that this call has sent. */
  forgetSent(request: SendRequest): void
}

export function useAttachments(): Attachments {
  const t = useTexts(conversationTexts)
  const errorText = useErrorText()
  const size = useSize()
  const [list, setList] = useState<readonly Attachment[]>([])
  const count = useRef(0)
  const change = useCallback(
    (id: number, fields: Partial<Attachment>) =>
      setList((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one))),
    [],
  )
  const refusalOf = (file: File): string | undefined => {
    if (file.size === 0) return t.fileEmpty(file.name)
    const limit = MEDIA_LIMIT_BYTES[sentAs(file)]
    return file.size > limit ? t.fileTooLarge(file.name, size(limit) ?? '') : undefined
  }
  const start = async ({ id, file, abort: { signal } }: Attachment): Promise<void> => {
    try {
      const address = addressOf('uploadMedia', { query: { fileName: file.name.replaceAll(/[/\\]/g, '_') } })
      const onProgress = (share: number) => change(id, { share })
      const { mediaId } = (await upload(address, file, { onProgress, signal })) as { mediaId: string }
      fileLoader.keepLocal(mediaId, file)
      change(id, { mediaId, share: 1 })
    } catch (error) {
      if (!signal.aborted) change(id, { error: errorText(error) })
    }
  }
  const forget = ({ preview, abort }: Attachment) => {
    abort.abort()
    if (preview !== undefined) URL.revokeObjectURL(preview)
  }
  useForgetAtEnd(list, forget)
  return {
    list,
    isUploading: list.some(({ mediaId, error }) => mediaId === undefined && error === undefined),
    uploaded: list.flatMap(({ mediaId, file }) =>
      mediaId === undefined ? [] : [{ mediaId, type: sentAs(file), fileName: file.name }],
    ),
    add(files) {
      const added = files.slice(0, Math.max(0, MOST_FILES - list.length)).map((file): Attachment => {
        const error = refusalOf(file)
        const isPicture = sentAs(file) === 'image' && error === undefined
        return {
          id: (count.current += 1),
          file,
          preview: isPicture ? URL.createObjectURL(file) : undefined,
          share: 0,
          mediaId: undefined,
          error,
          abort: new AbortController(),
        }
      })
      setList((all) => [...all, ...added])
      for (const one of added) if (one.error === undefined) void start(one)
    },
    remove(id) {
      for (const one of list) if (one.id === id) forget(one)
      setList((all) => all.filter((one) => one.id !== id))
    },
    forgetSent({ body }) {
      const files = (body.files ?? [body]) as readonly { mediaId?: unknown }[]
      const sent = new Set(files.map(({ mediaId }) => mediaId))
      const isSent = ({ mediaId }: Attachment) => mediaId !== undefined && sent.has(mediaId)
      for (const one of list) if (isSent(one)) forget(one)
      setList((all) => all.filter((one) => !isSent(one)))
    },
  }
}

/** When the chat is left, uploads end and addresses are revoked. */
function useForgetAtEnd(list: readonly Attachment[], forget: (one: Attachment) => void): void {
  const latest = useRef({ list, forget })
  useEffect(() => {
    latest.current = { list, forget }
  })
  useEffect(
    () => () => {
      for (const one of latest.current.list) latest.current.forget(one)
    },
    [],
  )
}

// Files that come into the composer: dropped, pasted, chosen, and recorded.

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
