// A picture that a request names by URL or as an uploaded file.

import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import { allowedMediaUrl } from '../sending/outgoing.ts'

/** The contract requires exactly one of them. */
export interface NamedPicture {
  mediaUrl?: string | undefined
  mediaId?: string | undefined
}

/** The bytes of the field `picture`. A picture that cannot be used refuses the request. */
export function readNamedPicture(
  { checkUrl, readPicture }: Pick<Deps, 'checkUrl' | 'readPicture'>,
  caller: Caller,
  { mediaUrl, mediaId = '' }: NamedPicture,
): Promise<Uint8Array> {
  if (mediaUrl === undefined) return readPicture(caller.account.id, { mediaId }, 'picture.mediaId')
  allowedMediaUrl(checkUrl, mediaUrl, 'picture.mediaUrl')
  return readPicture(caller.account.id, { url: mediaUrl }, 'picture.mediaUrl')
}
