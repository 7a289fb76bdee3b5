// The files of messages in components: loaded while they are wanted, with their sizes.
import { useEffect, useState } from 'react'
import { ApiError, addressOf, api } from '../../../gateway/api.ts'
import { useFormat } from '../../../ui/language.tsx'
import { BusyError, createFileLoader, type LoadedFile, type LoadState } from './file-loader.ts'
import { type MessageFile, shownType } from './message-file.ts'

// The loader of this page, and its use in components.

const PAUSE_MS = 1000

async function read(
  { messageId, instanceName, kind }: LoadedFile,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  try {
    const answer = await api.getMessageMedia({ params: { messageId }, query: { instanceName } }, { signal })
    const type = shownType(kind, answer.contentType)
    return type === undefined ? undefined : new Blob([answer.bytes as Uint8Array<ArrayBuffer>], { type })
  } catch (error) {
    const isBusy = error instanceof ApiError && (error.status === 429 || error.status === 0)
    throw isBusy ? new BusyError() : error
  }
}

export const fileLoader = createFileLoader({
  read,
  createAddress: (blob) => URL.createObjectURL(blob),
  revokeAddress: (address) => URL.revokeObjectURL(address),
  pause: (attempt) => new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt)),
})

/** The address that saves the file. */
export const downloadOf = ({ messageId, instanceName }: MessageFile): string =>
  addressOf('getMessageMedia', { params: { messageId }, query: { instanceName } })

const LOADING: LoadState = { at: 'loading' }

/** Loads the file while it is wanted. */
export function useFile(file: MessageFile, isWanted: boolean): LoadState {
  const { messageId, instanceName, kind, mediaId } = file
  const [state, setState] = useState<LoadState>(LOADING)
  useEffect(() => {
    if (!isWanted) return
    return fileLoader.use({ messageId, instanceName, kind, mediaId }, setState)
  }, [isWanted, messageId, instanceName, kind, mediaId])
  return state
}

// Sizes of files in the reader's language.

export function useSize(): (bytes: number | null | undefined) => string | null {
  const format = useFormat()
  return (bytes) => {
    if (bytes === null || bytes === undefined) return null
    if (bytes < 1024) return `${format.number(bytes)} B`
    if (bytes < 1_048_576) return `${format.number(Math.round(bytes / 1024))} kB`
    return `${format.number(Math.round(bytes / 104_857.6) / 10)} MB`
  }
}
