// Names the ffmpeg that prepares videos and voice messages. Without one they are sent as they are.
import { findFfmpeg } from '../../../files/media/ffmpeg.ts'
import { type Finding, ok, warning } from './finding.ts'

export async function checkFfmpeg(): Promise<Finding[]> {
  const found = await findFfmpeg()
  if (found) return [ok('ffmpeg', `version ${found.version} at ${found.ffmpeg}`)]
  return [
    warning(
      'ffmpeg',
      'ffmpeg and ffprobe are not on the PATH: videos have no preview, and only Ogg with Opus becomes a voice message',
      'install ffmpeg, and restart the server',
    ),
  ]
}
