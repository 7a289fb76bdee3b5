// Prepares the files of outgoing messages: thumbnails and sizes, voice messages, stickers. What cannot be prepared is sent as it is.
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createSemaphore } from '../async/semaphore.ts'
import { waveformOf } from '../rules/waveform.ts'
import { type Ffmpeg, findFfmpeg, firstFrame, formatOf, listen, probeVideo, toVoice } from './ffmpeg.ts'
import { describeImage, ImageTooLargeError, toSticker } from './images.ts'

/** Each of them may take a hundred megabytes. */
const AT_ONCE = 2
/** Messages of a campaign share their file: it is described once. */
const MAX_DESCRIBED = 64
const VOICE_TYPE = 'audio/ogg; codecs=opus'

export interface SourceFile {
  path: string
  mimetype: string
  /** The caller has set the type: the file must stay what it is. */
  isTypeGiven: boolean
  /** By the bytes alone. */
  detected: string | undefined
}

/** What is known about a file besides its bytes. */
export interface PreparedFacts {
  jpegThumbnail?: Uint8Array | undefined
  width?: number | undefined
  height?: number | undefined
  seconds?: number | undefined
  waveform?: Uint8Array | undefined
  /** Of a sticker. */
  isAnimated?: boolean | undefined
}

export interface PreparedFile {
  stream: Readable
  facts: PreparedFacts & { mimetype: string }
  /** Must be called once the file has been read. */
  release(): Promise<void>
}

export type PreparedKind = 'image' | 'video' | 'document' | 'audio' | 'sticker'

/** A sticker has to be a WebP, and the image cannot be converted to one. */
export class NoStickerError extends Error {}

export interface MediaTools {
  /** Rejects with `ImageTooLargeError` or `NoStickerError` if the file can never be sent. */
  prepare(kind: PreparedKind, file: SourceFile, signal?: AbortSignal): Promise<PreparedFile>
  /** A small JPEG of a picture. Undefined: it cannot be decoded. Never rejects. */
  thumbnail(picture: Uint8Array): Promise<Uint8Array | undefined>
}

interface Conversion {
  file: SourceFile
  ffmpeg: Ffmpeg | undefined
  signal: AbortSignal | undefined
}

export interface MediaToolsParts {
  /** Replaces the search on the PATH. */
  find?: () => Promise<Ffmpeg | undefined>
  logger: { debug(fields: object, message: string): void }
}

export function createMediaTools({ find = findFfmpeg, logger }: MediaToolsParts): MediaTools {
  const acquire = createSemaphore(AT_ONCE)
  const described = new Map<string, PreparedFacts>()
  let ffmpeg: Promise<Ffmpeg | undefined> | undefined
  /** Undefined: the file cannot be converted or described. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    const release = await acquire()
    try {
      return await work()
    } catch (err) {
      if (err instanceof ImageTooLargeError) throw err
      logger.debug({ err }, 'media: a file could not be prepared; it is sent as it is')
      return undefined
    } finally {
      release()
    }
  }
  async function describe(kind: 'image' | 'video', conversion: Conversion): Promise<PreparedFacts> {
    const { path } = conversion.file
    const known = described.get(path)
    if (known) return known
    const facts = (await attempt(() => DESCRIBE[kind](conversion))) ?? {}
    if (described.size >= MAX_DESCRIBED) described.clear()
    described.set(path, facts)
    return facts
  }
  return {
    async prepare(kind, file, signal) {
      if (kind === 'document') return asItIs(file)
      const needsFfmpeg = kind === 'video' || kind === 'audio'
      if (needsFfmpeg) ffmpeg ??= find()
      const conversion = { file, ffmpeg: needsFfmpeg ? await ffmpeg : undefined, signal }
      if (kind === 'image' || kind === 'video') return asItIs(file, await describe(kind, conversion))
      const converted = await attempt(() => CONVERT[kind](conversion))
      if (!converted && kind === 'sticker') throw new NoStickerError('the image cannot be decoded')
      return converted ?? asItIs(file)
    },
    thumbnail: (picture) =>
      attempt(() => describeImage(picture)).then(
        (facts) => facts?.jpegThumbnail,
        () => undefined,
      ),
  }
}

const asItIs = ({ path, mimetype }: SourceFile, facts: PreparedFacts = {}): PreparedFile => ({
  stream: createReadStream(path),
  facts: { ...facts, mimetype },
  release: async () => undefined,
})

const DESCRIBE: Record<'image' | 'video', (conversion: Conversion) => Promise<PreparedFacts>> = {
  image: ({ file }) => describeImage(file.path),
  async video({ file, ffmpeg, signal }) {
    const format = formatOf(file.detected ?? file.mimetype)
    if (!ffmpeg || !format) return {}
    const facts = await probeVideo(ffmpeg, format, file.path, signal)
    const { jpegThumbnail } = await describeImage(await firstFrame(ffmpeg, format, file.path, signal))
    return { ...facts, jpegThumbnail }
  },
}

const CONVERT: Record<'audio' | 'sticker', (conversion: Conversion) => Promise<PreparedFile | undefined>> = {
  async audio({ file, ffmpeg, signal }) {
    const format = formatOf(file.detected ?? file.mimetype)
    if (!ffmpeg || !format) return undefined
    if (format === 'ogg') return asItIs(file, await listenTo(ffmpeg, file.path, signal))
    if (file.isTypeGiven) return undefined
    const target = `${file.path}.ogg`
    try {
      await toVoice(ffmpeg, format, { path: file.path, target }, signal)
      const facts = await listenTo(ffmpeg, target, signal)
      const release = () => rm(target, { force: true })
      return { stream: createReadStream(target), facts: { ...facts, mimetype: VOICE_TYPE }, release }
    } catch (error) {
      await rm(target, { force: true })
      throw error
    }
  },
  async sticker({ file }) {
    const isWebp = file.detected === 'image/webp'
    const bytes = isWebp ? undefined : await toSticker(file.path)
    const { width, height, isAnimated } = await describeImage(bytes ?? file.path)
    const stream = bytes ? Readable.from([bytes]) : createReadStream(file.path)
    const facts = { mimetype: 'image/webp', width, height, isAnimated }
    return { stream, facts, release: async () => undefined }
  },
}

async function listenTo(ffmpeg: Ffmpeg, path: string, signal: AbortSignal | undefined) {
  const { seconds, levels } = await listen(ffmpeg, 'ogg', path, signal)
  return { seconds, waveform: waveformOf(levels) }
}
