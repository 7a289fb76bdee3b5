// Files that a request names by URL, and pictures that it names by URL or as an uploaded file.

import type { Caller } from '../accounts/caller.ts'
import type { CheckUrl, Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'

/** Only http and https to public hosts, without credentials. The file is not fetched before the message is sent. */
export function allowedMediaUrl(
  checkUrl: CheckUrl,
  text: string | undefined,
  path = 'mediaUrl',
): string | undefined {
  if (text === undefined) return undefined
  const checked = checkUrl(text, 'media')
  if ('href' in checked) return text
  throw new GatewayError(
    'url_not_allowed',
    { details: [{ path, message: checked.refused }] },
    { message: `mediaUrl is not allowed: ${checked.refused}.` },
  )
}

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
