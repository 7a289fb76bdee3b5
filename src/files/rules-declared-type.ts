// Whether the declared media type of an uploaded file fits its bytes.

/** Types that say nothing about the content: the detected type is used instead. */
const UNSPECIFIC = new Set(['application/octet-stream', 'binary/octet-stream'])

const ALIASES: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/apng': 'image/png',
  'image/x-png': 'image/png',
  'image/heif': 'image/heic',
  'image/x-ms-bmp': 'image/bmp',
}

/** `type/subtype` in lower case, without parameters. */
export const baseType = (mimetype: string): string => (mimetype.split(';')[0] ?? '').trim().toLowerCase()

/** Audio and video share containers, and so do archives and office documents. Only the family can be compared there. */
function familyOf(type: string): string {
  if (/^(?:audio|video)\//.test(type) || type === 'application/ogg') return 'audio or video'
  if (type === 'image/svg+xml' || /^text\/|\bxml$|\+xml$/.test(type)) return 'text'
  if (type.startsWith('image/') || type === 'application/pdf') return ALIASES[type] ?? type
  return type.split('/')[0] ?? type
}

export type DeclaredType = { mimetype: string } | { refused: string }

/** `detected` is undefined where the bytes do not show the type. */
export function checkDeclaredType(declared: string, detected: string | undefined): DeclaredType {
  const type = baseType(declared)
  if (UNSPECIFIC.has(type)) return { mimetype: detected ?? 'application/octet-stream' }
  if (detected === undefined)
    return type.startsWith('image/') && type !== 'image/svg+xml'
      ? { refused: `is ${type}, but the file is not an image` }
      : { mimetype: declared }
  return familyOf(type) === familyOf(baseType(detected))
    ? { mimetype: declared }
    : { refused: `is ${type}, but the file is ${baseType(detected)}` }
}
