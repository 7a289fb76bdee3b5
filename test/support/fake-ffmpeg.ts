// Programs in place of ffmpeg and ffprobe, for machines without them: they answer the calls of the gateway with fixed results, and fail
// for a file that contains `broken`.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Ffmpeg } from '../../src/media/ffmpeg.ts'
import { ogg } from './sample-files.ts'

const PROBED = { streams: [{ width: 640, height: 360 }], format: { duration: '7.5' } }

/** The last argument is the target of a conversion; the one behind `-i` is the source. */
const script = (directory: string) => `#!/bin/sh
for last; do [ "$before" = -i ] && source="\${last#file:}"; before="$last"; done
case "$*" in
  -version) echo 'ffmpeg version 7.1-fake Copyright'; exit 0;;
esac
grep -q broken "$source" && exit 1
case "$*" in
  *show_entries*) echo '${JSON.stringify(PROBED)}';;
  *image2pipe*) cat '${directory}/frame.jpg';;
  *s16le*) head -c 16000 /dev/zero;;
  *libopus*) cp '${directory}/voice.ogg' "\${last#file:}";;
  *) exit 1;;
esac
`

/** The programs are in `directory`/ffmpeg-bin, which can be put on the PATH of a process. */
export async function fakeFfmpeg(directory: string): Promise<Ffmpeg & { path: string }> {
  const path = join(directory, 'ffmpeg-bin')
  await mkdir(path, { recursive: true })
  const frame = { width: 64, height: 36, channels: 3, background: '#123456' } as const
  await writeFile(join(path, 'frame.jpg'), await sharp({ create: frame }).jpeg().toBuffer())
  await writeFile(join(path, 'voice.ogg'), ogg())
  const [ffmpeg, ffprobe] = [join(path, 'ffmpeg'), join(path, 'ffprobe')]
  for (const program of [ffmpeg, ffprobe]) await writeFile(program, script(path), { mode: 0o755 })
  return { ffmpeg, ffprobe, version: '7.1-fake', path }
}
