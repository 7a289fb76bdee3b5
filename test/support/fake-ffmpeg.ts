// Programs in place of ffmpeg and ffprobe, for machines without them: they answer the calls of the gateway with fixed results, and fail
// for a file that contains `broken`. A file that contains `hour long` lasts an hour. The conversion of one that contains `slow` ends when
// the file `open` is in their directory, where the file `runs` has a letter for each conversion.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Ffmpeg } from '../../src/files/media/ffmpeg.ts'
import { ogg } from './sample-files.ts'

const probed = (seconds: string) =>
  JSON.stringify({ streams: [{ width: 640, height: 360 }], format: { duration: seconds } })

/** The last argument is the target of a conversion; the one behind `-i` is the source. */
const script = (directory: string) => `#!/bin/sh
for last; do [ "$before" = -i ] && source="\${last#file:}"; before="$last"; done
case "$*" in
  -version) echo 'ffmpeg version 7.1-fake Copyright'; exit 0;;
esac
grep -q broken "$source" && exit 1
case "$*" in
  *show_entries*) if grep -q 'hour long' "$source"; then echo '${probed('3600')}'; else echo '${probed('7.5')}'; fi;;
  *image2pipe*) cat '${directory}/frame.jpg';;
  *s16le*) head -c 16000 /dev/zero;;
  *libopus*)
    printf x >> '${directory}/runs'
    # Written in two parts, as a conversion does: a reader that does not wait gets half a file.
    head -c 10 '${directory}/voice.ogg' > "\${last#file:}"
    if grep -q slow "$source"; then while [ ! -e '${directory}/open' ]; do sleep 0.05; done; fi
    cp '${directory}/voice.ogg' "\${last#file:}";;
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
