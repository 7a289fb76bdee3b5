// What a file can be sent as, by its media type and size.

const MB = 1024 * 1024
/** The limits of the API for one file. */
export const MOST_BYTES = 100 * MB
export const MOST_IMAGE_BYTES = 16 * MB

export type SentAs = 'image' | 'video' | 'audio' | 'document'

/** A picture that is too large for one is sent as a document. */
export function sentAs({ type, size }: Pick<File, 'type' | 'size'>): SentAs {
  const [kind] = type.split('/')
  if (kind === 'image') return size <= MOST_IMAGE_BYTES && type !== 'image/svg+xml' ? 'image' : 'document'
  return kind === 'video' || kind === 'audio' ? kind : 'document'
}
