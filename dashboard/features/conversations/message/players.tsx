// Players for voice messages, audio files and videos. A file is loaded when it is first played.

import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { useTexts } from '../../../ui/language.tsx'
import { lengthOf } from '../model/message-fields.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './media.module.css'
import type { MessageFile } from './message-file.ts'
import { useFile, useSize } from './use-file.ts'

interface PlayerProps {
  file: MessageFile
  /** The address of the file. */
  download: string
  /** Shown if the file is no longer available, or the browser cannot play it. */
  otherwise: ReactNode
}

const PLAY = 'M8 5v14l11-7z'
const PAUSE = 'M7 5h4v14H7zM14 5h4v14h-4z'
const Sign = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)

/** Only one of all players is heard. */
let heard: HTMLMediaElement | undefined
function hearOnly(player: HTMLMediaElement): void {
  if (heard !== player) heard?.pause()
  heard = player
}

export function AudioPlayer({ file, download, otherwise }: PlayerProps) {
  const t = useTexts(conversationTexts)
  const { state, audio, isPlaying, isBroken, isWanted, at, seconds, speed, toggle, seek, changeSpeed } =
    useAudio(file)
  if (state.at === 'gone' || isBroken) return otherwise
  return (
    <div
      className={css.audio}
      role="group"
      aria-label={file.isVoice ? t.previews.voice : (file.name ?? t.types.audio)}
    >
      <button
        type="button"
        className={css.play}
        aria-label={isPlaying ? t.pause : t.play}
        aria-busy={isWanted && state.at === 'loading'}
        onClick={toggle}
      >
        <Sign path={isPlaying ? PAUSE : PLAY} />
      </button>
      <input
        type="range"
        min={0}
        max={Math.max(seconds, 0.1)}
        step={0.1}
        value={Math.min(at, seconds)}
        aria-label={t.position}
        aria-valuetext={t.positionOf(lengthOf(at), lengthOf(seconds))}
        disabled={state.at !== 'ready'}
        onChange={({ target }) => seek(Number(target.value))}
      />
      <span className={css.length}>{lengthOf(isPlaying || at > 0 ? at : seconds)}</span>
      <button type="button" className={css.speed} aria-label={t.speed(String(speed))} onClick={changeSpeed}>
        {speed}×
      </button>
      <a className={css.download} href={download} download={file.name ?? ''} aria-label={t.download}>
        ↓
      </a>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what people record comes without captions */}
      {state.at === 'ready' ? <audio {...audio} autoPlay src={state.address} /> : null}
    </div>
  )
}

/** What a player of audio shows, and what its controls do. */
function useAudio(file: MessageFile) {
  const player = useRef<HTMLAudioElement>(null)
  const [isWanted, setWanted] = useState(false)
  const [isPlaying, setPlaying] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const [at, setAt] = useState(0)
  const [seconds, setSeconds] = useState(file.seconds ?? 0)
  const [speed, setSpeed] = useState<number>(SPEEDS[0])
  const audio: ComponentProps<'audio'> = {
    ref: player,
    onLoadedMetadata: ({ currentTarget }) => {
      currentTarget.playbackRate = speed
    },
    onDurationChange: ({ currentTarget: { duration } }) => {
      if (Number.isFinite(duration)) setSeconds(duration)
    },
    onTimeUpdate: ({ currentTarget }) => setAt(currentTarget.currentTime),
    onPlay: ({ currentTarget }) => {
      hearOnly(currentTarget)
      setPlaying(true)
    },
    onPause: () => setPlaying(false),
    onEnded: () => setAt(0),
    onError: () => setBroken(true),
  }
  const state = useFile(file, isWanted)
  return {
    state,
    audio,
    isWanted,
    isPlaying,
    isBroken,
    at,
    seconds,
    speed,
    toggle() {
      setWanted(true)
      if (isPlaying) player.current?.pause()
      else void player.current?.play()
    },
    seek(second: number) {
      setAt(second)
      if (player.current) player.current.currentTime = second
    },
    changeSpeed() {
      const next = speedAfter(speed)
      setSpeed(next)
      if (player.current) player.current.playbackRate = next
    },
  }
}

export function VideoPlayer({ file, download, otherwise }: PlayerProps) {
  const t = useTexts(conversationTexts)
  const size = useSize()
  const [isWanted, setWanted] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const state = useFile(file, isWanted)
  if (state.at === 'gone' || isBroken) return otherwise
  const facts = [file.seconds ? lengthOf(file.seconds) : null, size(file.sizeBytes)].filter((fact) => fact)
  if (state.at === 'ready')
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people record comes without captions
      <video
        className={css.video}
        controls
        autoPlay
        playsInline
        src={state.address}
        aria-label={t.types.video}
        onPlay={({ currentTarget }) => hearOnly(currentTarget)}
        onError={() => setBroken(true)}
      />
    )
  return (
    <div className={css.videoStart}>
      <button
        type="button"
        className={css.play}
        aria-label={t.playVideo}
        aria-busy={isWanted}
        onClick={() => setWanted(true)}
      >
        <Sign path={PLAY} />
      </button>
      <span>{facts.join(' · ')}</span>
      <a className={css.download} href={download} download={file.name ?? ''} aria-label={t.download}>
        ↓
      </a>
    </div>
  )
}

// How fast audio is played.

const SPEEDS = [1, 1.5, 2] as const

/** The next one; the first follows the last. */
const speedAfter = (speed: number): number =>
  SPEEDS[(SPEEDS.findIndex((one) => one === speed) + 1) % SPEEDS.length] ?? SPEEDS[0]
