// The bare library as one side of a comparison.
import type { BareLibrary } from './bare-library.ts'
import { callsTo } from './orders.ts'
import type { Side } from './side.ts'
import type { Stage } from './stage.ts'

export interface BareSide extends Side {
  name: 'bare library'
  /** Opens sessions that were paired before; resolves when all are open. */
  open(numbers: string[]): Promise<void>
  stop(): Promise<void>
}

/** With a directory, sessions survive a restart. */
export function startBare(
  { processes, sandbox }: Pick<Stage, 'processes' | 'sandbox'>,
  directory = '',
): BareSide {
  const { wsUrl, url, key, rootPublicKey } = sandbox
  const child = processes.fork('bare-library.ts', [wsUrl, url, key, rootPublicKey, directory])
  const calls = callsTo<BareLibrary>(child, ['open', 'pair', 'send', 'reset', 'take'])
  return {
    name: 'bare library',
    pid: () => child.pid ?? 0,
    open: calls.open,
    pair: calls.pair,
    send: (chats, perChat) => calls.send({ chats, perChat }),
    reset: calls.reset,
    take: calls.take,
    stop: () => processes.stop(child),
  }
}
