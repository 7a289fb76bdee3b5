// In which format a browser records voice, and what is made of it.
import { webmToOgg } from './webm-to-ogg.ts'

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
