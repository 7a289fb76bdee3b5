// How a file is shown if the sender does not say it: by its media type, or by the ending of its name.

export type MediaMessageKind = 'image' | 'video' | 'audio' | 'document'

export interface FileHints {
  /** Of the uploaded file, found in its bytes or declared with it. */
  uploadedType?: string | undefined
  mimetype?: string | undefined
  fileName?: string | undefined
  mediaUrl?: string | undefined
}

const BY_ENDING: Record<MediaMessageKind, readonly string[]> = {
  image: ['jpg', 'jpeg', 'png', 'webp', 'gif'],
  video: ['mp4', 'm4v', 'mov', '3gp', 'webm', 'mkv'],
  audio: ['ogg', 'oga', 'opus', 'mp3', 'm4a', 'aac', 'wav', 'amr', 'flac'],
  document: [
    'pdf',
    'doc',
    'docx',
    'xls',
    'xlsx',
    'ppt',
    'pptx',
    'odt',
    'ods',
    'csv',
    'txt',
    'zip',
    'xml',
    'json',
    'vcf',
    'ics',
  ],
}

/** Undefined: nothing shows it. A type that says nothing about the content is ignored. */
export function mediaKind({
  uploadedType,
  mimetype,
  fileName,
  mediaUrl,
}: FileHints): MediaMessageKind | undefined {
  return (
    kindOfType(uploadedType) ?? kindOfType(mimetype) ?? kindOfName(fileName) ?? kindOfName(pathOf(mediaUrl))
  )
}

function kindOfType(mimetype: string | undefined): MediaMessageKind | undefined {
  const type = mimetype?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === '' || type.endsWith('/octet-stream')) return undefined
  const [family = ''] = type.split('/')
  // Phones do not draw an SVG.
  if (family === 'image') return type === 'image/svg+xml' ? 'document' : 'image'
  return family === 'video' || family === 'audio' ? family : 'document'
}

function kindOfName(name: string | undefined): MediaMessageKind | undefined {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name ?? '')?.[1]?.toLowerCase()
  if (ending === undefined) return undefined
  const [kind] = Object.entries(BY_ENDING).find(([, endings]) => endings.includes(ending)) ?? []
  return kind as MediaMessageKind | undefined
}

/** The query of a URL can end in anything. */
const pathOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : URL.parse(url)?.pathname
