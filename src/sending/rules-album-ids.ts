// The ids of the messages of an album.
import { createHash } from 'node:crypto'

const ID_CHARACTERS = 18

/** Follows from the id of the album, so that a repeated request names the same messages. */
export const memberId = (albumId: string, index: number): string =>
  `3EB0${createHash('sha256').update(`${albumId}:${index}`).digest('hex').slice(0, ID_CHARACTERS).toUpperCase()}`
