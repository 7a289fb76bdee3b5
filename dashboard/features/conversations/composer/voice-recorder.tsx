// Records a voice message: it starts at once, and ends with Send or Discard.
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { lengthOf } from '../model/message-fields.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { type VoiceFormat, type VoiceProblem, voiceFile, voiceFormat, voiceProblem } from './voice-format.ts'
import css from './voice-recorder.module.css'

interface VoiceRecorderProps {
  onDone(file: File): void
  onClose(): void
}

/** Enough for speech, as phones record it. */
const BITS_PER_SECOND = 32_000
/** The network takes longer ones, but a forgotten recording must end. */
const LONGEST_SECONDS = 1200
const TICK_MS = 250

export function VoiceRecorder({ onDone, onClose }: VoiceRecorderProps) {
  const t = useTexts(conversationTexts)
  const { seconds, problem, format, finish } = useRecording()
  const send = useCallback(async () => {
    const file = await finish()
    if (file) onDone(file)
    else onClose()
  }, [finish, onDone, onClose])
  useEffect(() => {
    if (seconds >= LONGEST_SECONDS) void send()
  }, [seconds, send])
  const stop = useRef<HTMLButtonElement>(null)
  useEffect(() => stop.current?.focus(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape does what its first button does
    <div
      className={css.recorder}
      role="group"
      aria-label={t.recordVoice}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <button ref={stop} type="button" className={css.discard} onClick={onClose}>
        {problem === undefined ? t.discard : t.closeRecorder}
      </button>
      {problem === undefined ? (
        <span className={css.time} role="timer" aria-label={t.recording}>
          <span className={css.dot} aria-hidden="true" /> {lengthOf(Math.floor(seconds))}
        </span>
      ) : (
        <span className={css.problem} role="alert">
          {t.voiceProblems[problem]}
        </span>
      )}
      {format?.isVoice === false ? <span className="muted small">{t.voiceAsFile}</span> : null}
      {problem === undefined ? (
        <Button kind="primary" onClick={() => void send()}>
          {t.sendVoice}
        </Button>
      ) : null}
    </div>
  )
}

interface Recording {
  recorder: MediaRecorder
  format: VoiceFormat
  parts: Blob[]
}

async function startRecording(): Promise<Recording | VoiceProblem> {
  // Browsers offer the microphone to https and to this machine only.
  if (!globalThis.isSecureContext) return 'insecure'
  if (typeof MediaRecorder === 'undefined') return 'unsupported'
  const format = voiceFormat((type) => MediaRecorder.isTypeSupported(type))
  if (!format) return 'unsupported'
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
    const { mimetype: mimeType } = format
    const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND })
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    recorder.start(1000)
    return { recorder, format, parts }
  } catch (error) {
    return voiceProblem(error)
  }
}

/** Without this, the browser keeps showing that the page listens. */
function release({ recorder }: Recording): void {
  if (recorder.state !== 'inactive') recorder.stop()
  for (const track of recorder.stream.getTracks()) track.stop()
}

/** The recording that starts with the component and ends with it at the latest. */
function useRecording() {
  const recording = useRef<Recording>(undefined)
  const [problem, setProblem] = useState<VoiceProblem>()
  const [format, setFormat] = useState<VoiceFormat>()
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setInterval> | undefined
    void startRecording().then((started) => {
      if (typeof started === 'string') return setProblem(started)
      if (isOver) return release(started)
      recording.current = started
      setFormat(started.format)
      const begun = performance.now()
      timer = setInterval(() => setSeconds((performance.now() - begun) / 1000), TICK_MS)
    })
    return () => {
      isOver = true
      clearInterval(timer)
      if (recording.current) release(recording.current)
    }
  }, [])
  /** Undefined: nothing was recorded. */
  const finish = useCallback(async (): Promise<File | undefined> => {
    const current = recording.current
    if (!current || current.recorder.state === 'inactive') return undefined
    const stopped = new Promise((resolve) =>
      current.recorder.addEventListener('stop', resolve, { once: true }),
    )
    release(current)
    await stopped
    const bytes = new Uint8Array(await new Blob(current.parts).arrayBuffer())
    return bytes.length === 0 ? undefined : voiceFile(bytes, current.format)
  }, [])
  return { seconds, problem, format, finish }
}
