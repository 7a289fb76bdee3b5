// Random exchanges between the Signal protocol of this project and the JavaScript library that other programs on the network use:
// late and overtaken messages, duplicates, crashes before a step is stored. Each delivered message must be readable once.
import { createSide, type Kind, PAIRS, type Sealed } from '../../packages/libsignal/test/sides.ts'

interface Letter {
  text: string
  sealed: Sealed
}

const PER_CONVERSATION = 200
/** This many messages may be under way to one side at a time. */
const MAX_UNDER_WAY = 12
const REPORT_EVERY = 50_000
const CRASH_SHARE = 0.1
const LOSS_SHARE = 0.05

export async function runExchanges(count: number, seed: number, say: (line: string) => void): Promise<void> {
  const random = createRandom(seed)
  say(`EXCHANGE_SEED=${seed}`)
  let exchanged = 0
  for (let round = 0; exchanged < count; round += 1) {
    const before = Math.floor(exchanged / REPORT_EVERY)
    exchanged += await converse(PAIRS[round % PAIRS.length] as [Kind, Kind], random)
    if (Math.floor(exchanged / REPORT_EVERY) > before) say(`${exchanged} messages exchanged`)
  }
}

async function converse(kinds: [Kind, Kind], random: () => number): Promise<number> {
  const sides = [createSide(kinds[0], 'b'), createSide(kinds[1], 'a')] as const
  const inboxes: [Letter[], Letter[]] = [[], []]
  await sides[0].begin(sides[1].publish(random() > 0.2))
  await read(sides[1], { text: 'first', sealed: await sides[0].encrypt('first') })
  let sent = 0
  let delivered = 1
  while (delivered < PER_CONVERSATION) {
    const from = random() < 0.5 ? 0 : 1
    const to = from === 0 ? 1 : 0
    const inbox = inboxes[to]
    if (inbox.length < MAX_UNDER_WAY && random() < 0.55) {
      const text = `message ${++sent}`
      const sealed = await sides[from].encrypt(text)
      // Lost: the step is stored, and the process was killed before the frame left.
      if (random() > LOSS_SHARE) inbox.push({ text, sealed })
    } else if (inbox.length > 0) {
      const index = random() < 0.7 ? 0 : Math.floor(random() * inbox.length)
      const saved = sides[to].save()
      await read(sides[to], inbox[index] as Letter)
      // Crashed before the step was stored: the network delivers the message again.
      if (random() < CRASH_SHARE) {
        sides[to].restore(saved)
        continue
      }
      inbox.splice(index, 1)
      delivered += 1
    }
  }
  return delivered
}

async function read(side: ReturnType<typeof createSide>, { text, sealed }: Letter): Promise<void> {
  const plain = await side.decrypt(sealed)
  if (plain !== text) throw new Error(`${side.kind} read ${plain} instead of ${text}`)
  const again = await side.decrypt(sealed).catch(() => null)
  if (again !== null) throw new Error(`${side.kind} read ${text} twice`)
}

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
