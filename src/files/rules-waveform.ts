// The waveform that phones draw for a voice message: 64 values from 0 to 100.

const BARS = 64
const HIGHEST = 100

/** `levels` are the mean amplitudes of equally long pieces of the recording. The loudest bar is 100; silence is flat. */
export function waveformOf(levels: readonly number[]): Uint8Array {
  const bars = Array.from({ length: BARS }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / BARS)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / BARS))
    return mean(levels.slice(from, to))
  })
  const loudest = Math.max(...bars)
  return Uint8Array.from(bars, (level) => (loudest > 0 ? Math.round((level / loudest) * HIGHEST) : 0))
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
