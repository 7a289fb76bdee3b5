// Prepares the files of outgoing messages: thumbnails and sizes, voice messages, stickers. What cannot be prepared is sent as it is.
// Messages that share a file share its preparation. Accounts take turns, so that the files of one do not delay those of the others.
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { entryName } from '../../kernel/async/entry-name.ts'
import { createFairSemaphore } from '../../kernel/async/locks.ts'
import { unlessAborted } from '../../kernel/async/waiting.ts'
import { waveformOf } from '../rules.ts'
import {
  type Ffmpeg,
  findFfmpeg,
  firstFrame,
  formatOf,
  listen,
  probeSeconds,
  probeVideo,
  toVoice,
} from './ffmpeg.ts'
import { type Images, ImageTooLargeError } from './images.ts'

/** Programs that run at a time, each with one thread and up to a hundred megabytes. One account never has all of them. */
const PROGRAMS = { size: 3, perKey: 2 }
/** Converting a minute of audio takes half a second of CPU, and several times that on a busy machine. */
const LONGEST_AUDIO_SECONDS = 30 * 60
const VOICE_TYPE = 'audio/ogg; codecs=opus'

export interface SourceFile {
  accountId: number
  path: string
  mimetype: string
  /** The caller has set the type: the file must stay what it is. */
  isTypeGiven: boolean
  /** By the bytes alone. */
  detected: string | undefined
  /** Does work on the file once for all messages that share it. The work may write the file `target`, which is removed with this one. */
  derive<T>(name: string, work: (target: string) => Promise<T>): Promise<T>
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
}

export type PreparedKind = 'image' | 'video' | 'document' | 'audio' | 'sticker'

/** A sticker has to be a WebP, and the image cannot be converted to one. */
export class NoStickerError extends Error {}

/** The audio is too long to be converted. */
export class AudioTooLongError extends Error {}

export const AUDIO_TOO_LONG =
  'The audio is longer than 30 minutes, and is not converted to a voice message. Set mimetype to send it as it is.'

export interface MediaTools {
  /**
   * The source must be held until the stream has been read. Rejects with `ImageTooLargeError`, `NoStickerError` or
   * `AudioTooLongError` if the file can never be sent, and when `signal` aborts.
   */
  prepare(kind: PreparedKind, file: SourceFile, signal?: AbortSignal): Promise<PreparedFile>
  /** A small JPEG of a picture. Undefined: it cannot be decoded. Never rejects. */
  thumbnail(accountId: number, picture: Uint8Array): Promise<Uint8Array | undefined>
  /** Ends the programs that run. */
  close(): void
}

/** A file that was prepared, by its path, or its bytes as they were. */
interface Prepared {
  facts: PreparedFacts
  /** Undefined: the file itself. */
  converted?: { path: string; mimetype: string }
}

type Prepare = (conversion: Conversion, target: string) => Promise<Prepared | undefined>

interface Conversion {
  file: SourceFile
  images: Images
  /** Undefined: the machine has none. */
  ffmpeg: Ffmpeg | undefined
  signal: AbortSignal
}

export interface MediaToolsParts {
  images: Images
  /** Replaces the search on the PATH. */
  find?: () => Promise<Ffmpeg | undefined>
  logger: { debug(fields: object, message: string): void }
}

export function createMediaTools({ images, find = findFfmpeg, logger }: MediaToolsParts): MediaTools {
  const acquire = createFairSemaphore(PROGRAMS)
  const closing = new AbortController()
  let ffmpeg: Promise<Ffmpeg | undefined> | undefined
  /** Undefined: the file cannot be converted or described. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (err) {
      if (err instanceof ImageTooLargeError || err instanceof AudioTooLongError || closing.signal.aborted)
        throw err
      logger.debug({ err }, 'media: a file could not be prepared; it is sent as it is')
      return undefined
    }
  }
  async function withPrograms<T>(accountId: number, work: (found: Ffmpeg) => Promise<T>) {
    const found = await (ffmpeg ??= find())
    if (!found) return undefined
    const release = await acquire(entryName('account', accountId), closing.signal)
    try {
      return await work(found)
    } finally {
      release()
    }
  }
  const prepareOnce = (kind: PreparedKind, file: SourceFile) =>
    file.derive(nameOf(kind, file), (target) =>
      attempt(() => {
        const conversion = { file, images, ffmpeg: undefined, signal: closing.signal }
        return NEEDS_PROGRAMS.has(kind)
          ? withPrograms(file.accountId, (found) => PREPARE[kind]({ ...conversion, ffmpeg: found }, target))
          : PREPARE[kind](conversion, target)
      }),
    )
  return {
    async prepare(kind, file, signal) {
      const prepared = await unlessAborted(prepareOnce(kind, file), signal)
      if (!prepared && kind === 'sticker') throw new NoStickerError('the image cannot be decoded')
      const { path, mimetype } = prepared?.converted ?? file
      return { stream: openFile(path), facts: { ...prepared?.facts, mimetype } }
    },
    thumbnail: (accountId, picture) =>
      images.describe(accountId, picture).then(
        ({ jpegThumbnail }) => jpegThumbnail,
        () => undefined,
      ),
    close: () => closing.abort(),
  }
}

const NEEDS_PROGRAMS: ReadonlySet<PreparedKind> = new Set<PreparedKind>(['video', 'audio'])

/** The same file may be sent as several kinds, and with and without a given type. */
const nameOf = (kind: PreparedKind, { isTypeGiven }: SourceFile): string =>
  isTypeGiven ? `${kind}-given` : kind

/** A reader of the stream also gets an error from before it began to read. Without a listener that error would end the process. */
const openFile = (path: string): Readable => createReadStream(path).on('error', () => undefined)

const PREPARE: Record<PreparedKind, Prepare> = {
  document: async () => undefined,
  image: async ({ file, images }) => ({ facts: await images.describe(file.accountId, file.path) }),
  async video({ file, images, ffmpeg, signal }) {
    const format = formatOf(file.detected ?? file.mimetype)
    if (!ffmpeg || !format) return undefined
    const facts = await probeVideo(ffmpeg, format, file.path, signal)
    const frame = await firstFrame(ffmpeg, format, file.path, signal)
    const { jpegThumbnail } = await images.describe(file.accountId, frame)
    return { facts: { ...facts, jpegThumbnail } }
  },
  async audio({ file, ffmpeg, signal }, target) {
    const format = formatOf(file.detected ?? file.mimetype)
    if (!ffmpeg || !format || (file.isTypeGiven && format !== 'ogg')) return undefined
    const seconds = await probeSeconds(ffmpeg, format, file.path, signal)
    const isLong = seconds !== undefined && seconds > LONGEST_AUDIO_SECONDS
    // A voice message needs no conversion. Without a waveform it need not be decoded either.
    if (format === 'ogg') return { facts: isLong ? { seconds } : await hear(ffmpeg, file.path, signal) }
    if (isLong) throw new AudioTooLongError('the audio is too long')
    // The duration that a file states can be wrong: the conversion ends behind the limit, and its result is measured.
    const maxSeconds = LONGEST_AUDIO_SECONDS + 1
    await toVoice(ffmpeg, format, { path: file.path, target, maxSeconds }, signal)
    const facts = await hear(ffmpeg, target, signal)
    if (facts.seconds > LONGEST_AUDIO_SECONDS) throw new AudioTooLongError('the audio is too long')
    return { facts, converted: { path: target, mimetype: VOICE_TYPE } }
  },
  async sticker({ file, images }, target) {
    const isWebp = file.detected === 'image/webp'
    if (!isWebp) await writeFile(target, await images.toSticker(file.accountId, file.path), { mode: 0o600 })
    const path = isWebp ? file.path : target
    const { width, height, isAnimated } = await images.describe(file.accountId, path)
    return { facts: { width, height, isAnimated }, converted: { path, mimetype: 'image/webp' } }
  },
}

async function hear(ffmpeg: Ffmpeg, path: string, signal: AbortSignal) {
  const { seconds, levels } = await listen(ffmpeg, 'ogg', path, signal)
  return { seconds, waveform: waveformOf(levels) }
}
