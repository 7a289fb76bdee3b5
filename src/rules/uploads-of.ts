// The uploaded files that a message uses, and how large each may be.
import { MEDIA_LIMIT_BYTES } from '../contract/media.ts'

export interface UsedUpload {
  /** The field that names it. */
  path: string
  mediaId: string
  limitBytes: number
}

interface Card {
  header?: { mediaId?: unknown }
}

/** Kinds whose file is an image, including cards and stickers. */
const limitOf = (kind: string): number =>
  kind in MEDIA_LIMIT_BYTES
    ? MEDIA_LIMIT_BYTES[kind as keyof typeof MEDIA_LIMIT_BYTES]
    : MEDIA_LIMIT_BYTES.image

export function uploadsOf({
  kind,
  content,
}: {
  kind: string
  content: Record<string, unknown>
}): UsedUpload[] {
  // A forwarded message uses the file of its source.
  if (content.forwardOf !== undefined) return []
  const limitBytes = limitOf(kind)
  const { cards = [] } = (content.interactive ?? {}) as { cards?: Card[] }
  const named: [path: string, mediaId: unknown][] = [
    ['mediaId', content.mediaId],
    ...cards.map(({ header }, index): [string, unknown] => [
      `interactive.cards.${index}.header.mediaId`,
      header?.mediaId,
    ]),
  ]
  return named.flatMap(([path, mediaId]) =>
    typeof mediaId === 'string' ? [{ path, mediaId, limitBytes }] : [],
  )
}
