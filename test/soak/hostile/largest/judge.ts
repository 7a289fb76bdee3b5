// What a large frame may cost, and which cases cost more.
import type { Engine } from '../../../support/engines.ts'
import type { LargeCase } from './cases.ts'
import { type BatchCost, LostGateway, openProbe, type PostedEvent, type Probe } from './probe.ts'

/** CPU time of one turn of the event loop, on a machine of the reference speed. */
const MAX_TURN_MS = 100
/** What the fixed work of the probe takes there. */
const REFERENCE_SPEED_MS = 20
/**
 * In memory and in the store, as multiples of what was sent. An element of a stanza takes eleven bytes on the wire and an object with its
 * attributes in the decoder of the library; a frame has room for 65,000, so that this is 16 MB at most. On PostgreSQL the parameters of a
 * statement are hexadecimal text, of which the driver makes two copies: 500 kB of encrypted bytes take 12 times their size there.
 */
const MAX_HELD = { message: 10, crafted: 13, patch: 24, stanza: 24, 'own phone': Infinity }
const MAX_STORED = 3
/** What a small frame costs has nothing to do with its size. */
const LEAST_BYTES = 100_000
const MAX_EVENT_BYTES = 256 * 1024
/** A case that costs more than it may is repeated alone, because another process or a collection of garbage may be the cause. */
const BATCH = 6
const SAY_EVERY = 200

export interface Verdict {
  name: string
  turnMs: number
  /** Multiples of what was sent. */
  held: number
  stored: number
  /** The largest. */
  eventBytes: number
  /** Undefined if all is within the bounds. */
  fault?: string | undefined
}

export interface Judged {
  engine: Pick<Engine, 'createLocation'>
  cases: readonly LargeCase[]
  /** Gateways that work at the same time. */
  lanes?: number
  /** How many times as long a turn may take. Tests run beside others, whose use of the processor caches slows each of them. */
  patience?: number
  say(line: string): void
}

export async function judgeAll({ engine, cases, lanes = 2, patience = 1, say }: Judged): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const waiting = batchesOf(cases)
  const sayProgress = (judged: number, added: number): void => {
    if (Math.floor(judged / SAY_EVERY) > Math.floor((judged - added) / SAY_EVERY))
      say(`${judged} of ${cases.length} cases`)
  }
  const lane = async (): Promise<void> => {
    let probe = await openProbe(engine)
    try {
      for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
        try {
          verdicts.push(...(await judgeBatch(probe, batch, patience)))
        } catch (error) {
          if (!(error instanceof LostGateway)) throw error
          const { found, next } = await findFatal({ engine, patience }, probe, batch, error)
          probe = next
          verdicts.push(...found)
        }
        for (const { name, fault } of verdicts.slice(-batch.length)) if (fault) say(`${name}: ${fault}`)
        sayProgress(verdicts.length, batch.length)
      }
    } finally {
      await probe.end()
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return verdicts
}

/** Cases with work of their own are alone, and those that would be repeated: the garbage of a stanza with many elements is that of six. */
function batchesOf(cases: readonly LargeCase[]): LargeCase[][] {
  const batches: LargeCase[][] = []
  for (const each of cases) {
    const last = batches.at(-1)
    const isAlone = each.prepare !== undefined || each.source === 'crafted' || each.source === 'stanza'
    if (last && !isAlone && last.length < BATCH && last[0]?.source === each.source) last.push(each)
    else batches.push([each])
  }
  return batches
}

async function judgeBatch(probe: Probe, batch: readonly LargeCase[], patience: number): Promise<Verdict[]> {
  const [first] = batch
  if (first && batch.length === 1) return [await judgeAlone(probe, first, patience)]
  const together = await probe.costOf(batch)
  const verdicts = batch.map((each, index) => verdictOn(each, { ...together, patience }, index))
  for (const [index, { fault }] of verdicts.entries()) {
    const each = batch[index] as LargeCase
    if (fault) verdicts[index] = await judgeAlone(probe, each, patience)
  }
  return verdicts
}

/**
 * Up to three runs. Each can only cost more than the case itself does, so the least of each counts. The last one collects all garbage,
 * which takes many times as long.
 */
async function judgeAlone(probe: Probe, each: LargeCase, patience: number): Promise<Verdict> {
  let least = await probe.costOf([each])
  for (const exactMemory of [false, true]) {
    const verdict = verdictOn(each, { ...least, patience }, 0)
    if (!verdict.fault) return verdict
    const next = await probe.costOf([each], { exactMemory })
    const isFaster = !exactMemory && next.turnMs / next.speedMs < least.turnMs / least.speedMs
    least = { ...(isFaster ? next : least), heldBytes: Math.min(least.heldBytes, next.heldBytes) }
  }
  return verdictOn(each, { ...least, patience }, 0)
}

/** One by one, on a new gateway after each that ended or stands still. */
async function findFatal(
  { engine, patience }: Required<Pick<Judged, 'engine' | 'patience'>>,
  failed: Probe,
  batch: readonly LargeCase[],
  error: LostGateway,
): Promise<{ found: Verdict[]; next: Probe }> {
  await failed.end()
  let next = await openProbe(engine)
  const found: Verdict[] = []
  for (const each of batch) {
    try {
      found.push(...(batch.length === 1 ? [fatal(each, error)] : await judgeBatch(next, [each], patience)))
    } catch (reason) {
      if (!(reason instanceof LostGateway)) throw reason
      found.push(fatal(each, reason))
      await next.end()
      next = await openProbe(engine)
    }
  }
  return { found, next }
}

const fatal = ({ name }: LargeCase, { message }: LostGateway): Verdict => ({
  name,
  turnMs: Number.NaN,
  held: Number.NaN,
  stored: Number.NaN,
  eventBytes: Number.NaN,
  fault: message,
})

function verdictOn(
  { name, source, mayBeWhole }: LargeCase,
  { turnMs, heldBytes, speedMs, costs, patience }: BatchCost & { patience: number },
  index: number,
): Verdict {
  const cost = costs[index]
  if (!cost) throw new Error(`no cost of ${name}`)
  const { sentBytes, storedBytes, events } = cost
  const size = Math.max(sentBytes, LEAST_BYTES)
  const held = heldBytes / size
  const stored = storedBytes / size
  const eventBytes = Math.max(0, ...events.map(({ bytes }) => bytes))
  // The library reads a history as a whole. No stranger can send one, and it must not end the process.
  const maxTurnMs =
    source === 'own phone' ? Infinity : MAX_TURN_MS * patience * Math.max(1, speedMs / REFERENCE_SPEED_MS)
  const unmarked = mayBeWhole ? undefined : events.find(isCutWithoutMark)
  const faults = [
    turnMs > maxTurnMs &&
      `a turn of ${turnMs.toFixed(0)} ms of CPU time, allowed are ${maxTurnMs.toFixed(0)}`,
    held > MAX_HELD[source] && `${held.toFixed(1)} times its size in memory`,
    stored > MAX_STORED && `${stored.toFixed(1)} times its size in the store`,
    eventBytes > MAX_EVENT_BYTES && `an event of ${eventBytes} bytes`,
    unmarked && `the content of ${unmarked.event} is cut, and does not say so`,
  ].filter((fault) => fault !== false && fault !== undefined)
  return { name, turnMs, held, stored, eventBytes, fault: faults.join('; ') || undefined }
}

/** The frame is larger than any event may be, so something of it is missing. Nothing is kept of content that has no valid form. */
const isCutWithoutMark = ({ event, data }: PostedEvent): boolean =>
  event === 'messages.upsert' && data.type !== 'undecryptable' && data.content?.['truncated'] !== true

export const faultsIn = (verdicts: readonly Verdict[]): string[] =>
  verdicts.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`]))

/** One line for each case, the worst first. */
export function tableOf(verdicts: readonly Verdict[]): string[] {
  const isFault = ({ fault }: Verdict): number => (fault === undefined ? 0 : 1)
  return verdicts
    .toSorted((a, b) => isFault(b) - isFault(a) || b.turnMs - a.turnMs)
    .map(({ name, turnMs, held, stored, eventBytes, fault }) =>
      [
        `${turnMs.toFixed(0)} ms`.padStart(7),
        `memory x ${held.toFixed(1)}`.padStart(14),
        `store x ${stored.toFixed(2)}`.padStart(13),
        `event ${Math.ceil(eventBytes / 1024)} kB`.padStart(13),
        fault === undefined ? name : `${name}: ${fault}`,
      ].join('  '),
    )
}
