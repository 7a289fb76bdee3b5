// How the passkey gets from the official page to the page that began the step. A browser hands it out on the official page alone. So that
// page is opened with the request in its fragment, and the browser extension comes back to `/passkey/return` with the assertion in the
// fragment. Fragments are not sent to servers. The page that comes back has neither a key nor the token: it hands the assertion to the
// first page.
import type { z } from 'zod'
import type { answerPasskey } from '../../../src/contract/passkey.ts'

export type Assertion = z.input<(typeof answerPasskey)['body']>['assertion']

export interface PasskeyRequest {
  options: Record<string, unknown>
  instanceName: string
}

const OFFICIAL_PAGE = 'https://web.whatsapp.com/'
const REQUEST = 'switchboard-passkey='
const RESULT = '#assertion='
const CHANNEL = 'switchboard-passkey'
const TAKEN_MS = 3000

export function officialAddress({ options, instanceName }: PasskeyRequest, gateway: string): string {
  const request = { version: 1, gateway, instance: instanceName, options }
  return `${OFFICIAL_PAGE}#${REQUEST}${toBase64Url(JSON.stringify(request))}`
}

/** The text of an assertion that came back in the fragment; undefined if there is none. */
export function returnedText(fragment: string): string | undefined {
  if (!fragment.startsWith(RESULT)) return undefined
  try {
    return fromBase64Url(fragment.slice(RESULT.length))
  } catch {
    return undefined
  }
}

/** Undefined for a text that is not an assertion. The gateway checks its values. */
export function readAssertion(text: string): Assertion | undefined {
  try {
    const value = JSON.parse(text) as Assertion
    return typeof value.rawId === 'string' && typeof value.response.clientDataJSON === 'string'
      ? value
      : undefined
  } catch {
    return undefined
  }
}

function challengeOf(text: string): unknown {
  try {
    const clientData = readAssertion(text)?.response.clientDataJSON ?? ''
    return (JSON.parse(fromBase64Url(clientData)) as { challenge?: unknown }).challenge
  } catch {
    return undefined
  }
}

/** Calls the listener with an assertion for this challenge that another tab hands over. Returns a function that ends it. */
export function onHandedOver(challenge: unknown, listener: (text: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'string' || challengeOf(data) !== challenge) return
    channel.postMessage({ taken: challenge })
    listener(data)
  })
  return () => channel.close()
}

/** Hands an assertion to the tab that waits for it. False: there is no such tab. */
export function handOver(text: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL)
  const challenge = challengeOf(text)
  return new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), TAKEN_MS)
    channel.addEventListener('message', ({ data }: MessageEvent<{ taken?: unknown }>) => {
      if (challenge !== undefined && data.taken === challenge) resolve(true)
    })
    channel.postMessage(text)
  }).finally(() => channel.close())
}

const toBase64Url = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const fromBase64Url = (text: string): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)),
  )
