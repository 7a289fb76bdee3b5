// Deliveries in the form of the Cloud API: the event, its envelope, and the signature that receivers of that API check.
import { createHmac } from 'node:crypto'
import type { EventData, EventName } from '../../contract/events.ts'
import type { FormatEvent } from '../../webhooks/delivery-format.ts'
import { toCloudChange } from './events.ts'

/**
 * The original writes other characters than those of ASCII as escapes, and signs them so. Some receivers rely on it: they escape the
 * body again before they check the signature.
 */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[^\0-~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * The signatures of the body, with the whole secret of the webhook, which stands for the secret of the app. SHA-1 is for receivers that know
 * nothing else: both prove the same secret.
 */
const hubSignatures = (secret: string, body: string) => {
  const hmac = (hash: 'sha1' | 'sha256') => `${hash}=${createHmac(hash, secret).update(body).digest('hex')}`
  return { 'X-Hub-Signature': hmac('sha1'), 'X-Hub-Signature-256': hmac('sha256') }
}

export const formatCloudEvent: FormatEvent = async (event, { url, secrets }) => {
  const facts = {
    instanceName: event.api_name,
    ownNumber: event.own_number,
    direction: event.direction,
  }
  const name = event.name as EventName
  const change = toCloudChange(name, JSON.parse(event.data) as EventData<typeof name>, facts)
  if (!change) return null
  const body = asciiJson({
    object: 'whatsapp_business_account',
    // An instance is its own business account.
    entry: [{ id: event.api_name, changes: [change] }],
  })
  return {
    url,
    body,
    headers: hubSignatures(secrets.current, body),
    secretHeaders: {},
  }
}
