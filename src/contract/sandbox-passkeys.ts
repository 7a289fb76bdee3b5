// The calls of `/sandbox/v1` about the passkey of a phone.
import { z } from 'zod'
import { success } from './fields.ts'
import { route } from './route.ts'
import { phoneParams } from './sandbox-requests.ts'
import { answers } from './sandbox-world.ts'

const phones = { area: 'sandbox', tag: 'Sandbox: phones', scopes: ['sandbox'] } as const
const base64 = z.string().meta({ description: 'Base64' })
const base64url = z.string().meta({ description: 'Base64url without padding' })

const passkey = z
  .object({
    rpId: z.string(),
    credentialId: base64,
    userHandle: base64,
    privateKey: z.string().meta({ description: 'The P-256 key in PKCS#8, in base64' }),
    signCount: z.number(),
  })
  .meta({ id: 'SandboxPasskey', description: 'A key for the virtual authenticator of a browser' })

const assertion = z
  .object({
    id: base64url,
    rawId: base64url,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url,
    }),
  })
  .meta({ id: 'SandboxAssertion', description: 'A WebAuthn assertion in its JSON form' })

export const sandboxPasskeyRoutes = {
  sandboxSetPasskey: route({
    ...phones,
    id: 'sandboxSetPasskey',
    method: 'POST',
    path: '/phones/{number}/passkey',
    summary: 'Give the phone a passkey, and choose whether the network demands it before it links a device',
    params: phoneParams,
    body: z.strictObject({ demanded: z.boolean().default(true) }).meta({ examples: [{ demanded: true }] }),
    answer: answers.phone,
    reasons: ['phone_not_found'],
  }),
  sandboxGetPasskey: route({
    ...phones,
    id: 'sandboxGetPasskey',
    method: 'GET',
    path: '/phones/{number}/passkey',
    summary: 'Get the passkey of the phone with its private key, for the virtual authenticator of a browser',
    params: phoneParams,
    answer: z.object({ success, passkey }),
    reasons: ['phone_not_found', 'passkey_not_found'],
  }),
  sandboxSignAssertion: route({
    ...phones,
    id: 'sandboxSignAssertion',
    method: 'POST',
    path: '/phones/{number}/passkey/assertion',
    summary: 'Sign with the passkey of the phone, as the browser of its owner would',
    params: phoneParams,
    body: z
      .strictObject({
        options: z.looseObject({ challenge: z.string().min(1).max(1024) }).meta({
          description: 'The options of the request for a passkey, as the gateway reports them',
        }),
        origin: z.string().min(1).max(255).optional().meta({
          description: 'The page that asks; by default the one of the network',
        }),
      })
      .meta({ examples: [{ options: { challenge: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA' } }] }),
    answer: z.object({ success, assertion }),
    reasons: ['phone_not_found', 'passkey_not_found'],
  }),
} as const
