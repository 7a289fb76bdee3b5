// Link previews: title, description and picture of the first link in a text, fetched through the outbound client. A preview that is not
// available in time is left out.

import type { MediaTools } from '../files/media/media-tools.ts'
import { charsetOf, firstLink, type PageFacts, readPage } from '../files/rules-link-preview.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { unlessAborted } from '../kernel/async/waiting.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import type { LinkPreview } from '../network/message.ts'
import type { PreviewOf } from './held-content.ts'

const WHOLE_MS = 3000
/** The description of a page is at its beginning. */
const PAGE_BYTES = 512 * 1024
const PICTURE_BYTES = 4 * 1024 * 1024
/** Messages of a campaign share their link. */
const KEEP_MS = 60_000
const MAX_KEPT = 200

export interface LinkPreviewParts {
  outbound: Pick<Outbound, 'peek'>
  tools: Pick<MediaTools, 'thumbnail'>
  clock: () => number
}

interface Kept {
  preview: Promise<LinkPreview | undefined>
  until: number
}

export function createLinkPreviews(parts: LinkPreviewParts): PreviewOf {
  const kept = createBoundedMap<EntryName<'account'>, Kept>(MAX_KEPT)
  return async (accountId, text, stopping) => {
    const link = firstLink(text)
    if (link === undefined) return undefined
    // Accounts do not share what they have fetched.
    const key = entryName('account', accountId, link)
    const known = kept.get(key)
    if (known && known.until > parts.clock()) return known.preview
    const preview = previewOf(parts, accountId, link, stopping)
    kept.set(key, { preview, until: parts.clock() + KEEP_MS })
    return preview
  }
}

/** Never rejects. */
async function previewOf(
  parts: LinkPreviewParts,
  accountId: number,
  link: string,
  stopping: AbortSignal,
): Promise<LinkPreview | undefined> {
  const late = AbortSignal.any([AbortSignal.timeout(WHOLE_MS), stopping])
  const page = await parts.outbound.peek({ url: link, maxBytes: PAGE_BYTES, signal: late })
  const facts = page && /html/i.test(page.contentType) ? readPage(textOf(page), link) : undefined
  if (!facts) return undefined
  const thumbnail = thumbnailOf(parts, accountId, facts, late)
  const jpegThumbnail = await unlessAborted(thumbnail, late).catch(() => undefined)
  return { url: link, title: facts.title, description: facts.description, jpegThumbnail }
}

function textOf({ bytes, contentType }: { bytes: Buffer; contentType: string }): string {
  const charset = charsetOf(contentType, bytes.toString('latin1', 0, 4096))
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString()
  }
}

async function thumbnailOf(
  { outbound, tools }: LinkPreviewParts,
  accountId: number,
  { imageUrl }: PageFacts,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (imageUrl === null) return undefined
  const picture = await outbound.peek({ url: imageUrl, maxBytes: PICTURE_BYTES, signal })
  return picture && !picture.isCut ? tools.thumbnail(accountId, picture.bytes) : undefined
}
