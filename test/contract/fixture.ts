// What contract tests share: an account with an open instance, made once per engine and file.
import type { Account, Gateway } from '../support/gateway.ts'

export interface Fixture extends Gateway {
  mine: Account
  instance: { name: string; id: number }
}

/** Runs `make` at its first call and hands out the same result from then on. */
export function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** One account with one open instance, for all tests of a file that do not change what the others see. */
export const withInstance = (
  gateway: () => Promise<Gateway>,
  plan?: Record<string, unknown>,
): (() => Promise<Fixture>) =>
  shared(async () => {
    const running = await gateway()
    const mine = await running.account(plan)
    return { ...running, mine, instance: await running.openInstance(mine) }
  })

export const UNLIMITED_PLAN = {
  users: 'Unlimited',
  contacts: 'Unlimited',
  instances: 'Unlimited',
  messages: 'Unlimited',
} as const

/** Answers of the scripted network for the time of `work`. */
export async function scripted<T>(
  { sessions }: Gateway,
  answers: Partial<Gateway['sessions']['script']>,
  work: () => Promise<T>,
): Promise<T> {
  const before = { ...sessions.script }
  Object.assign(sessions.script, answers)
  try {
    return await work()
  } finally {
    Object.assign(sessions.script, before)
  }
}

/** The paths that a 400 names, sorted. */
export const faultPaths = (answer: { json: { details: { path: string }[] } }): string[] =>
  [...new Set(answer.json.details.map((detail) => detail.path))].sort()
