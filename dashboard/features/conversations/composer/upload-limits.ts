// What a file can be sent as, by its media type and size.
import { MEDIA_LIMIT_BYTES } from '../../../../src/contract/media-limits.ts'

export type SentAs = keyof typeof MEDIA_LIMIT_BYTES

/** A picture that is too large for one is sent as a document. */
export function sentAs({ type, size }: Pick<File, 'type' | 'size'>): SentAs {
  const [kind] = type.split('/')
  if (kind === 'image')
    return size <= MEDIA_LIMIT_BYTES.image && type !== 'image/svg+xml' ? 'image' : 'document'
  return kind === 'video' || kind === 'audio' ? kind : 'document'
}
