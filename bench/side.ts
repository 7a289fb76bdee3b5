// The two sides of a comparison, the gateway and the bare library, and what a bench measures on both in the same way.
import { setTimeout as pause } from 'node:timers/promises'
import type { Arrival, Expected } from './arrivals.ts'
import { middle } from './middle.ts'
import { cpuMs } from './processes.ts'

/** A chat that a session writes to. */
export interface Chat {
  /** The number of the session. */
  from: string
  /** A number, or the id of a group. */
  to: string
}

export interface Side {
  name: 'gateway' | 'bare library'
  pid(): number
  /** Links these phones, whose numbers exist on the network, and resolves when all sessions are open. */
  pair(numbers: string[]): Promise<void>
  /** Sends this many messages to each chat; resolves with their ids, chat by chat, when the network has taken all of them. */
  send(chats: Chat[], perChat: number): Promise<string[][]>
  /** Forgets the messages that have arrived so far. */
  reset(): Promise<void>
  /** Resolves when this many messages have arrived: at the webhook, or at the event handler of the library. */
  take(expected: Expected): Promise<Arrival[]>
}

/** Receipts, and writes that no one waits for, belong to the messages that caused them. */
const SETTLE_MS = 500

/** CPU of a side while it does this work, and until it is quiet again. */
export async function cpuDuring(side: Side, work: () => Promise<void>): Promise<number> {
  const before = cpuMs(side.pid())
  await work()
  await pause(SETTLE_MS)
  return cpuMs(side.pid()) - before
}

/** Figures of one round, by name. */
export type Figures<Name extends string> = Record<Name, number>

export interface Compared<Name extends string> {
  gateway: Figures<Name>
  bare: Figures<Name>
  /** Of the gateway to the bare library: the median of the ratios of all rounds. */
  ratio: Figures<Name>
}

/** The sides take turns, and each round has its own ratio, because the speed of a machine changes within a minute. */
export async function inTurns<Name extends string>(
  sides: { gateway: Side; bare: Side },
  rounds: number,
  measure: (side: Side) => Promise<Figures<Name>>,
): Promise<Compared<Name>> {
  const gateway: Figures<Name>[] = []
  const bare: Figures<Name>[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measure(sides.bare))
    gateway.push(await measure(sides.gateway))
  }
  const names = Object.keys(gateway[0] ?? {}) as Name[]
  const medians = (valueOf: (name: Name, round: number) => number) =>
    Object.fromEntries(
      names.map((name) => [name, middle(gateway.map((_figures, round) => valueOf(name, round)))]),
    ) as Figures<Name>
  const value = (figures: Figures<Name>[]) => (name: Name, round: number) => figures[round]?.[name] ?? 0
  return {
    gateway: medians(value(gateway)),
    bare: medians(value(bare)),
    ratio: medians((name, round) => value(gateway)(name, round) / value(bare)(name, round)),
  }
}
