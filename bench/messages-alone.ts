// Messages that follow each other one by one, so that none shares a commit with another: one instance, one person, one webhook.
import { setTimeout as pause } from 'node:timers/promises'
import { GatewaySide } from './gateway-side.ts'
import { numberOf } from './phones.ts'
import type { Stage } from './stage.ts'

const WARM_UP = 5
const ARRIVE_WITHIN_MS = 60_000
/** Between two messages, unless a bench is given another pause: results that wait for a commit to share do so for a shorter time. */
export const APART_MS = 200

export interface MessagesAlone {
  pid: number
  /** Resolves when it is at the webhook. */
  receive(): Promise<void>
  /** Resolves when the phone of the person shows it. */
  send(): Promise<void>
}

/** Runs `measure` on a gateway that has received and sent a few messages. */
export async function withMessagesAlone(
  stage: Stage,
  measure: (messages: MessagesAlone) => Promise<void>,
): Promise<void> {
  const [own, friend] = [numberOf(1, 0), numberOf(3, 0)]
  await stage.phones.create([own, friend])
  const gateway = await GatewaySide.prepare(stage, { events: ['messages.upsert'] })
  await gateway.start()
  await gateway.pair([own])
  const receive = async (): Promise<void> => {
    await gateway.reset()
    await stage.phones.burst([{ from: friend, to: own }])
    await gateway.take({ count: 1, withinMs: ARRIVE_WITHIN_MS })
  }
  const send = async (): Promise<void> => {
    const [ids = []] = await gateway.send([{ from: own, to: friend }], 1)
    await stage.phones.untilShown(friend, own, ids)
  }
  for (let count = 0; count < WARM_UP; count += 1) {
    await receive()
    await send()
  }
  await measure({ pid: gateway.pid(), receive, send })
  await gateway.stop()
}

/** Repeats one message, and returns what was counted meanwhile, and while the gateway was idle for the same time. */
export async function busyAndIdle<T>(
  { messages, apartMs }: { messages: number; apartMs: number },
  one: () => Promise<void>,
  countsDuring: (work: () => Promise<void>) => Promise<T>,
): Promise<{ busy: T; idle: T }> {
  let tookMs = 0
  const busy = await countsDuring(async () => {
    const startedAt = performance.now()
    for (let count = 0; count < messages; count += 1) {
      await one()
      await pause(apartMs)
    }
    tookMs = performance.now() - startedAt
  })
  return { busy, idle: await countsDuring(() => pause(tookMs)) }
}
