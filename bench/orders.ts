// Calls from a bench to a process that it forked, over the channel between the two.
import type { ChildProcess } from 'node:child_process'

type Handlers = Record<string, (input: never) => Promise<unknown>>

interface Call {
  call: number
  name: string
  input: unknown
}
type Answer = { call: number; result: unknown } | { call: number; error: string }

/** The calls that a process serves, by name. */
export type Remote<H> = {
  [Name in keyof H]: H[Name] extends (...input: infer Input) => Promise<infer Result>
    ? (...input: Input) => Promise<Result>
    : never
}

/** In the forked process. It ends with the bench. */
export function serveCalls(handlers: Handlers): void {
  process.on('message', ({ call, name, input }: Call) => {
    const answer = (message: Answer) => void process.send?.(message)
    const handler = handlers[name] as (input: unknown) => Promise<unknown>
    handler(input).then(
      (result) => answer({ call, result }),
      (error: unknown) => answer({ call, error: error instanceof Error ? error.message : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(1))
}

/** In the bench. A call fails if the process ends before its answer. */
export function callsTo<H>(child: ChildProcess, names: readonly (keyof H & string)[]): Remote<H> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  child.on('message', (answer: Answer) => {
    const call = waiting.get(answer.call)
    waiting.delete(answer.call)
    if ('error' in answer) call?.reject(new Error(answer.error))
    else call?.resolve(answer.result)
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values())
      reject(new Error(`a process of the bench ended unexpectedly (${code ?? signal})`))
    waiting.clear()
  })
  const call = (name: string) => (input?: unknown) => {
    const answered = Promise.withResolvers<unknown>()
    last += 1
    waiting.set(last, answered)
    child.send({ call: last, name, input } satisfies Call)
    return answered.promise
  }
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Remote<H>
}
