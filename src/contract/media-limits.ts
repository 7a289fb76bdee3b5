// How large files may be. Without the schemas, so that a browser can load it.

const MB = 1024 * 1024

/** The largest file of each kind of message, downloaded or uploaded. */
export const MEDIA_LIMIT_BYTES = {
  image: 16 * MB,
  video: 100 * MB,
  audio: 100 * MB,
  document: 100 * MB,
} as const

export const GROUP_PICTURE_BYTES = 5 * MB
