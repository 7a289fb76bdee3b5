// Shows the QR codes of one connection: each reference of the network for a while, then the next one.
import type { Timers } from '../../kernel/async/timers.ts'

/** As the network's own web client: the first code longer than the others. */
const FIRST_CODE_MS = 60_000
const NEXT_CODE_MS = 20_000
/** More than the network has ever issued for one connection. */
const MAX_REFERENCES = 32
/** The network can also replace references and secrets. Each code that is shown is stored and reported. */
const MAX_SHOWN = 100

export interface QrCodesParts {
  /** The text of a code with this reference and the current secret. */
  draw(reference: string): string
  show(code: string, expiresAt: number): void
  /** No code is left that a phone could read. */
  onEnd(): void
  /** How long each code is shown; absent: as the network's own client does. */
  codeMs?: number | undefined
  clock: () => number
  timers: Timers
}

export interface QrCodes {
  begin(references: readonly string[]): void
  /** Shows the current code again, after the secret in it has changed. */
  redraw(): void
  /** A pairing code is valid until then: the connection lasts as long, also when no reference is left. */
  keepUntil(untilMs: number): void
  /** A phone has read the code, or the connection is closed. */
  stop(): void
}

export function createQrCodes({ draw, show, onEnd, codeMs, clock, timers }: QrCodesParts): QrCodes {
  let waiting: string[] = []
  let current: { reference: string; expiresAt: number } | undefined
  let keptUntil = 0
  let shown = 0
  let timer: ReturnType<Timers['setTimeout']> | undefined
  const wait = (ms: number, then: () => void): void => {
    timers.clearTimeout(timer)
    timer = timers.setTimeout(then, ms)
  }
  const showCurrent = (): void => {
    if (!current) return
    shown += 1
    if (shown > MAX_SHOWN) onEnd()
    else show(draw(current.reference), current.expiresAt)
  }
  const showNext = (lifetimeMs: number): void => {
    const reference = waiting.shift()
    if (reference === undefined) {
      current = undefined
      end()
      return
    }
    current = { reference, expiresAt: clock() + lifetimeMs }
    showCurrent()
    wait(lifetimeMs, () => showNext(codeMs ?? NEXT_CODE_MS))
  }
  const end = (): void => {
    const leftMs = keptUntil - clock()
    if (leftMs > 0) wait(leftMs, end)
    else onEnd()
  }
  return {
    begin(references) {
      waiting = references.slice(0, MAX_REFERENCES)
      showNext(codeMs ?? FIRST_CODE_MS)
    },
    redraw: showCurrent,
    keepUntil(untilMs) {
      keptUntil = Math.max(keptUntil, untilMs)
    },
    stop() {
      timers.clearTimeout(timer)
      waiting = []
      current = undefined
    },
  }
}
