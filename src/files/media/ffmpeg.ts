// The ffmpeg of this machine, where there is one: reads videos and converts audio to voice messages.
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'

export interface Ffmpeg {
  ffmpeg: string
  ffprobe: string
  /** As the program names it, for people. */
  version: string
}

const FIND_MS = 5000
/** A program that takes longer is ended; the file is then sent as it is. */
const RUN_MS = 120_000
const MAX_PROBE_BYTES = 64 * 1024

const run = promisify(execFile)

/** Looks for both programs on the PATH. Undefined: one of them is missing. */
export async function findFfmpeg(): Promise<Ffmpeg | undefined> {
  try {
    // The shell knows the PATH of this process. The programs are run by their path and without our environment, which has secrets.
    const found = await run('/bin/sh', ['-c', 'command -v ffmpeg && command -v ffprobe'], {
      timeout: FIND_MS,
    })
    const [ffmpeg = '', ffprobe = ''] = found.stdout.trim().split('\n')
    const { stdout } = await run(ffmpeg, ['-version'], { env: {}, timeout: FIND_MS })
    return { ffmpeg, ffprobe, version: /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? 'unknown' }
  } catch {
    return undefined
  }
}

/**
 * The format that is named to ffmpeg, by the detected type. It never guesses: some formats are lists of other files and addresses,
 * which it would open.
 */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^(?:video|audio)\/(?:mp4|x-m4a|x-m4v|quicktime|3gpp2?)$/, 'mov'],
  [/^(?:video|audio)\/(?:webm|(?:x-)?matroska)$/, 'matroska'],
  [/^(?:video|audio|application)\/ogg$|^audio\/opus$/, 'ogg'],
  [/^audio\/mpeg$/, 'mp3'],
  [/^audio\/(?:wav|wave|vnd\.wave|x-wav)$/, 'wav'],
  [/^audio\/(?:x-)?flac$/, 'flac'],
  [/^audio\/(?:aac|x-aac|aacp)$/, 'aac'],
  [/^audio\/amr$/, 'amr'],
  [/^audio\/(?:x-)?aiff$/, 'aiff'],
  [/^video\/(?:vnd\.avi|x-msvideo|avi)$/, 'avi'],
  [/^video\/(?:mpeg|MP1S|MP2P)$/i, 'mpeg'],
]

/** Undefined: ffmpeg is not used for this type. */
export const formatOf = (type: string | undefined): string | undefined => {
  const base = type?.split(';')[0]?.trim().toLowerCase() ?? ''
  return FORMATS.find(([pattern]) => pattern.test(base))?.[1]
}

const input = (format: string, path: string): string[] => [
  '-protocol_whitelist',
  'file,pipe',
  '-f',
  format,
  '-i',
  `file:${path}`,
]
const QUIET = ['-v', 'error']
const ONCE = ['-nostdin', ...QUIET, '-threads', '1', '-max_pixels', '40000000']

export interface VideoFacts {
  width?: number | undefined
  height?: number | undefined
  seconds?: number | undefined
}

/** Size and duration of a video. */
export async function probeVideo(
  { ffprobe }: Ffmpeg,
  format: string,
  path: string,
  signal?: AbortSignal,
): Promise<VideoFacts> {
  const entries = 'stream=width,height:stream_side_data=rotation:format=duration'
  const args = [...QUIET, '-select_streams', 'v:0', '-show_entries', entries, '-of', 'json']
  const chunks = await collect(ffprobe, [...args, ...input(format, path)], MAX_PROBE_BYTES, signal)
  return readProbe(chunks.toString())
}

/** The duration that the file states, which may be wrong or missing. */
export async function probeSeconds(
  { ffprobe }: Ffmpeg,
  format: string,
  path: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const args = [...QUIET, '-show_entries', 'format=duration', '-of', 'json']
  const chunks = await collect(ffprobe, [...args, ...input(format, path)], MAX_PROBE_BYTES, signal)
  return readProbe(chunks.toString()).seconds
}

interface Probed {
  streams?: { width?: number; height?: number; side_data_list?: { rotation?: number }[] }[]
  format?: { duration?: string }
}

/** A video that was recorded upright is stored lying, with a rotation. */
export function readProbe(json: string): VideoFacts {
  const { streams: [stream] = [], format } = JSON.parse(json) as Probed
  const rotation = stream?.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0
  const isUpright = Math.abs(rotation) % 180 === 90
  const seconds = Number(format?.duration)
  return {
    width: isUpright ? stream?.height : stream?.width,
    height: isUpright ? stream?.width : stream?.height,
    seconds: Number.isFinite(seconds) ? seconds : undefined,
  }
}

/** The first frame of a video, as a JPEG that is not larger than a thumbnail needs. */
export const firstFrame = (
  { ffmpeg }: Ffmpeg,
  format: string,
  path: string,
  signal?: AbortSignal,
): Promise<Buffer> => {
  const frame = ['-frames:v', '1', '-an', '-vf', "scale=w='min(320,iw)':h=-2", '-c:v', 'mjpeg']
  const args = [...ONCE, ...input(format, path), ...frame, '-f', 'image2pipe', 'pipe:1']
  return collect(ffmpeg, args, 1024 * 1024, signal)
}

/** Converts audio, up to a duration, to the only format that phones play as a voice message. */
export async function toVoice(
  { ffmpeg }: Ffmpeg,
  format: string,
  { path, target, maxSeconds }: { path: string; target: string; maxSeconds: number },
  signal?: AbortSignal,
): Promise<void> {
  const voice = ['-vn', '-map_metadata', '-1', '-ac', '1', '-ar', '48000', '-c:a', 'libopus', '-b:a', '32k']
  const limit = ['-t', String(maxSeconds)]
  const args = [
    ...ONCE,
    ...limit,
    ...input(format, path),
    ...voice,
    '-application',
    'voip',
    '-f',
    'ogg',
    '-y',
  ]
  await pipeOut(ffmpeg, [...args, `file:${target}`], () => undefined, signal)
}

const SAMPLES_PER_SECOND = 8000
const SAMPLES_PER_LEVEL = 800

/** The duration of a recording, and its mean amplitude in every tenth of a second. */
export async function listen(
  { ffmpeg }: Ffmpeg,
  format: string,
  path: string,
  signal?: AbortSignal,
): Promise<{ seconds: number; levels: number[] }> {
  const samples = ['-vn', '-ac', '1', '-ar', String(SAMPLES_PER_SECOND), '-f', 's16le', 'pipe:1']
  const meter = createMeter()
  await pipeOut(ffmpeg, [...ONCE, ...input(format, path), ...samples], meter.add, signal)
  return meter.read()
}

/** Sums up 16-bit samples, which may be cut anywhere. */
export function createMeter(): { add(chunk: Buffer): void; read(): { seconds: number; levels: number[] } } {
  const levels: number[] = []
  let rest = Buffer.alloc(0)
  let count = 0
  let sum = 0
  return {
    add(chunk) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      const whole = bytes.length - (bytes.length % 2)
      for (let at = 0; at < whole; at += 2) {
        sum += Math.abs(bytes.readInt16LE(at))
        count += 1
        if (count % SAMPLES_PER_LEVEL !== 0) continue
        levels.push(sum / SAMPLES_PER_LEVEL)
        sum = 0
      }
      rest = Buffer.from(bytes.subarray(whole))
    },
    read: () => ({ seconds: count / SAMPLES_PER_SECOND, levels }),
  }
}

async function collect(
  program: string,
  args: string[],
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  const keep = (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new Error('the output is too long')
    chunks.push(chunk)
  }
  await pipeOut(program, args, keep, signal)
  return Buffer.concat(chunks)
}

/** Rejects if the program fails, takes too long, or `take` throws. */
function pipeOut(
  program: string,
  args: string[],
  take: (chunk: Buffer) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(program, args, {
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: RUN_MS,
    killSignal: 'SIGKILL',
    ...(signal ? { signal } : {}),
  })
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      take(chunk)
    } catch (error) {
      child.kill('SIGKILL')
      reject(error)
    }
  })
  child.on('error', reject)
  child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`ended with code ${code}`))))
  return promise
}
