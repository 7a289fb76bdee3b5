// In which format a browser records voice, and what is made of it.

export interface VoiceFormat {
  mimetype: string
  /** Whether phones play it as a voice message without a conversion by the gateway. */
  isVoice: boolean
}

/** The best first. Firefox records Ogg, Chromium WebM, which is packed anew, and some browsers neither of them. */
const FORMATS: readonly VoiceFormat[] = [
  { mimetype: 'audio/ogg;codecs=opus', isVoice: true },
  { mimetype: 'audio/webm;codecs=opus', isVoice: true },
  { mimetype: 'audio/mp4', isVoice: false },
]

export const voiceFormat = (isSupported: (mimetype: string) => boolean): VoiceFormat | undefined =>
  FORMATS.find(({ mimetype }) => isSupported(mimetype))

/** The recording as a file to send. */
export function voiceFile(bytes: Uint8Array<ArrayBuffer>, { mimetype }: VoiceFormat): File {
  const ogg = mimetype.startsWith('audio/webm') ? webmToOgg(bytes) : undefined
  if (ogg) return new File([ogg as Uint8Array<ArrayBuffer>], 'voice.ogg', { type: 'audio/ogg' })
  const type = mimetype.split(';')[0] ?? mimetype
  return new File([bytes], `voice.${ENDINGS[type] ?? 'bin'}`, { type })
}
const ENDINGS: Partial<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
}

/** Why nothing is recorded, by the name of the error of the browser. */
export type VoiceProblem = 'denied' | 'noMicrophone' | 'insecure' | 'unsupported' | 'failed'
const PROBLEMS: Partial<Record<string, VoiceProblem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'noMicrophone',
  NotReadableError: 'noMicrophone',
}
export const voiceProblem = (error: unknown): VoiceProblem =>
  (error instanceof Error && PROBLEMS[error.name]) || 'failed'

// Voice as phones play it: the Opus packets of a WebM recording in an Ogg file. Chromium records WebM only, and a gateway without ffmpeg
// cannot convert it; the sound itself is the same.

/** The elements of WebM that are read, by id. */
const CONTAINERS: ReadonlySet<number> = new Set([
  0x18538067, // Segment
  0x1654ae6b, // Tracks
  0xae, // TrackEntry
  0x1f43b675, // Cluster
  0xa0, // BlockGroup
])
const CODEC_PRIVATE = 0x63a2
const BLOCKS: ReadonlySet<number> = new Set([0xa3, 0xa1])
const LACING_FLAGS = 0x06

interface Recording {
  /** The header of the Opus stream. */
  head: Uint8Array
  packets: Uint8Array[]
}

/** Undefined: it is not a WebM file with Opus. */
export function webmToOgg(webm: Uint8Array, serial = 1): Uint8Array | undefined {
  const recording: Recording = { head: new Uint8Array(), packets: [] }
  if (!readElements(webm, recording)) return undefined
  const isOpus = new TextDecoder('latin1').decode(recording.head.subarray(0, 8)) === 'OpusHead'
  return isOpus && recording.packets.length > 0 ? oggOf(recording, serial) : undefined
}

/** False: the file is not as expected. A recording that was cut off ends within an element. */
function readElements(bytes: Uint8Array, recording: Recording): boolean {
  let at = 0
  while (at < bytes.length) {
    const id = readNumber(bytes, at, true)
    const size = id && readNumber(bytes, at + id.length, false)
    if (!id || !size) return true
    at += id.length + size.length
    // The content of a container is read as what follows it, because a recording does not know the size of its containers.
    if (CONTAINERS.has(id.value)) continue
    const content = bytes.subarray(at, at + size.value)
    at += size.value
    if (id.value === CODEC_PRIVATE) recording.head = content
    if (BLOCKS.has(id.value) && !readBlock(content, recording)) return false
  }
  return true
}

/** A number of variable length: the zeros before the first bit that is set say how many bytes follow. */
function readNumber(bytes: Uint8Array, at: number, keepsMarker: boolean) {
  const first = bytes[at]
  if (first === undefined || first === 0) return undefined
  const length = Math.clz32(first) - 23
  if (at + length > bytes.length) return undefined
  let value = keepsMarker ? first : first & (0xff >> length)
  for (let index = 1; index < length; index += 1) value = value * 256 + (bytes[at + index] ?? 0)
  return { value, length }
}

/** Track number, time (two bytes) and flags come before the packet. */
function readBlock(block: Uint8Array, { packets }: Recording): boolean {
  const track = readNumber(block, 0, false)
  const flags = track && block[track.length + 2]
  if (!track || flags === undefined || (flags & LACING_FLAGS) !== 0) return false
  packets.push(block.subarray(track.length + 3))
  return true
}

const SAMPLES_PER_MS = 48
const MS_OF_CONFIG = [
  10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10,
  20, 2.5, 5, 10, 20,
]

/** The length of a packet, from its first byte (RFC 6716, section 3.1). */
export function samplesOf(packet: Uint8Array): number {
  const [toc = 0, count = 0] = packet
  const frames = [1, 2, 2, count & 0x3f][toc & 3] ?? 1
  return (MS_OF_CONFIG[toc >> 3] ?? 20) * SAMPLES_PER_MS * frames
}

const FIRST_PAGE = 2
const LAST_PAGE = 4
const MOST_SEGMENTS = 255
const PAGE_SAMPLES = 48_000

function oggOf({ head, packets }: Recording, serial: number): Uint8Array {
  const pages = [
    pageOf([head], { flags: FIRST_PAGE, granule: 0, serial, index: 0 }),
    pageOf([tags()], { flags: 0, granule: 0, serial, index: 1 }),
  ]
  let page: Uint8Array[] = []
  let [granule, pageStart, segments] = [0, 0, 0]
  const finish = (flags: number) => {
    pages.push(pageOf(page, { flags, granule, serial, index: pages.length }))
    page = []
    pageStart = granule
    segments = 0
  }
  for (const packet of packets) {
    const needed = Math.floor(packet.length / 255) + 1
    if (segments + needed > MOST_SEGMENTS || granule - pageStart >= PAGE_SAMPLES) finish(0)
    page.push(packet)
    segments += needed
    granule += samplesOf(packet)
  }
  finish(LAST_PAGE)
  return joined(pages)
}

/** The comment header, which is required and says nothing. */
const tags = (): Uint8Array =>
  joined([new TextEncoder().encode('OpusTags'), new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0])])

interface PageFacts {
  flags: number
  /** How many samples have ended with this page. */
  granule: number
  serial: number
  index: number
}

function pageOf(packets: readonly Uint8Array[], { flags, granule, serial, index }: PageFacts): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ])
  const header = new DataView(new ArrayBuffer(27))
  header.setUint32(0, 0x4f676753) // OggS
  header.setUint8(5, flags)
  header.setBigUint64(6, BigInt(Math.round(granule)), true)
  header.setUint32(14, serial, true)
  header.setUint32(18, index, true)
  header.setUint8(26, lacing.length)
  const page = joined([new Uint8Array(header.buffer), new Uint8Array(lacing), ...packets])
  new DataView(page.buffer).setUint32(22, checksum(page), true)
  return page
}

/** The CRC of Ogg: most significant bit first, from zero. */
function checksum(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
