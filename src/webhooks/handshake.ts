// The handshake of the Cloud API: a receiver shows that it knows the token before events are posted to it (decision 0145).
import { randomInt } from 'node:crypto'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'

/** The query of the URL stays. */
export function handshakeUrl(url: string, verifyToken: string, challenge: string): string {
  const called = new URL(url)
  called.searchParams.set('hub.mode', 'subscribe')
  called.searchParams.set('hub.verify_token', verifyToken)
  called.searchParams.set('hub.challenge', challenge)
  called.hash = ''
  return called.href
}

/** The original sends digits, and some receivers answer with them as a number. */
const newChallenge = (): string => String(randomInt(1_000_000_000, 10_000_000_000))

/** Throws unless the receiver answers with the challenge. */
export async function confirmReceiver(
  { readReceiver }: Pick<Deps, 'readReceiver'>,
  url: string,
  verifyToken: string,
): Promise<void> {
  const challenge = newChallenge()
  let answer: string
  try {
    answer = await readReceiver(handshakeUrl(url, verifyToken, challenge))
  } catch (error) {
    throw notVerified((error as Error).message, error)
  }
  if (answer.trim().replace(/^"(.*)"$/, '$1') !== challenge)
    throw notVerified('The answer is not the challenge.')
}

const notVerified = (why: string, cause?: unknown): GatewayError =>
  new GatewayError(
    'webhook_not_verified',
    { details: [{ path: 'url', message: why }] },
    { message: `The receiver did not confirm the webhook by its handshake: ${why}`, cause },
  )
