// The passkey step of linking: some accounts must confirm a new device with their passkey. Its endpoints for the account, and those of
// the one-time link, which needs no key.
import { z } from 'zod'
import { InstanceReference, instanceName, jsonValue, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'

export const PASSKEY_STEPS = [
  'assertion_needed',
  'assertion_sent',
  'confirmation_needed',
  'finishing',
] as const

export const PASSKEY_RESULTS = [
  'linked',
  'disabled',
  'expired',
  'refused',
  'unanswered',
  'lost',
  'cancelled',
  'stopped',
] as const

const code = z.string().nullable().meta({
  description: 'The code to compare with the one that the phone shows, such as `ABCD-1234`; null before',
})

export const PasskeyState = z
  .object({
    step: z.enum(PASSKEY_STEPS).meta({
      description:
        '`assertion_needed`: the owner must use the passkey. `assertion_sent`: the phone has not answered yet. ' +
        '`confirmation_needed`: the owner must compare the code. `finishing`: the device is about to be linked',
    }),
    code,
    expiresAt: timestamp,
  })
  .meta({ id: 'PasskeyState' })

const PasskeyDemand = PasskeyState.extend({
  options: z.record(z.string(), jsonValue).nullable().meta({
    description:
      'In `assertion_needed`: what the network sent, for `PublicKeyCredential.parseRequestOptionsFromJSON`. Null later',
  }),
  origin: z.string().meta({ description: 'The only page in which a browser makes the assertion' }),
}).meta({ id: 'PasskeyDemand' })

/** The lengths of base64url; the rule checks the bytes. */
const encoded = (maxLength: number) => z.string().max(maxLength)

const EXAMPLE_ASSERTION = {
  id: 'AQIDBA',
  rawId: 'AQIDBA',
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'pmvHxOAqIuXO',
    signature: 'MEUCIQDx',
    userHandle: null,
  },
} as const

/** Browsers add fields, which the network does not need. */
const Assertion = z
  .object({
    id: encoded(1400),
    rawId: encoded(1400),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: encoded(6000),
      authenticatorData: encoded(6000),
      signature: encoded(1400),
      userHandle: encoded(100)
        .nullish()
        .transform((value) => value ?? null),
    }),
  })
  .meta({
    id: 'PasskeyAssertion',
    description:
      'The result of `navigator.credentials.get` in its JSON form (`toJSON()`); other fields are ignored',
    examples: [EXAMPLE_ASSERTION],
  })

const codeToConfirm = z
  .string()
  .min(1)
  .max(20)
  .meta({
    description: 'The code that the owner has compared; the dash and the case do not matter',
    examples: ['ABCD-1234'],
  })

const ASSERTION_REASONS = [
  'passkey_not_expected',
  'passkey_attempts_used',
  'passkey_malformed',
  'passkey_wrong_type',
  'passkey_wrong_challenge',
  'passkey_wrong_origin',
  'passkey_wrong_site',
  'passkey_without_presence',
  'passkey_without_verification',
] as const
const CONFIRM_REASONS = ['passkey_not_expected', 'passkey_other_code'] as const
const CANCEL_REASONS = ['passkey_not_expected', 'outcome_unknown'] as const
const NETWORK_REASONS = ['refused_by_network', 'network_timeout', 'outcome_unknown'] as const

const byName = z.strictObject({ instanceName })
const after = PasskeyState.nullable().meta({ description: 'The step after this call; null if it has ended' })
const common = { tag: 'Instances', live: true } as const

export const getPasskey = endpoint({
  ...common,
  summary: 'Get the passkey step of an instance, with the challenge of the network',
  description:
    'Some accounts must confirm a new device with their passkey. The state of the instance is then `connecting` with the reason ' +
    '`awaiting_passkey`. A browser makes the assertion only on the page of the network.',
  query: byName,
  answer: z.object({
    success,
    instance: InstanceReference,
    passkey: PasskeyDemand.nullable().meta({ description: 'Null: the network demands no passkey now' }),
  }),
  reasons: ['instance_not_found'],
})

export const answerPasskey = endpoint({
  ...common,
  summary: 'Hand in the assertion of the passkey',
  description:
    'The assertion is checked, sent once, and neither logged nor stored. A refusal names the field. After ten wrong assertions ' +
    'pairing must be started again.',
  query: byName,
  body: z
    .strictObject({ assertion: Assertion })
    .meta({ id: 'AnswerPasskey', examples: [{ assertion: EXAMPLE_ASSERTION }] }),
  answer: z.object({ success, passkey: after }),
  reasons: ['instance_not_found', ...ASSERTION_REASONS, ...NETWORK_REASONS],
})

export const confirmPasskey = endpoint({
  ...common,
  summary: 'Confirm that the phone shows the same code',
  query: byName,
  body: z
    .strictObject({ code: codeToConfirm })
    .meta({ id: 'ConfirmPasskey', examples: [{ code: 'ABCD-1234' }] }),
  answer: z.object({ success, passkey: after }),
  reasons: ['instance_not_found', ...CONFIRM_REASONS, ...NETWORK_REASONS],
})

export const cancelPasskey = endpoint({
  ...common,
  summary: 'End the passkey step without a linked device, as when the codes differ',
  description:
    'The state of the instance is then `close` with the reason `passkey_cancelled`, and pairing can be started again. Refused once the ' +
    'code is confirmed: then remove the device on the phone, or log the instance out.',
  query: byName,
  answer: z.object({ success }),
  reasons: ['instance_not_found', ...CANCEL_REASONS],
})

export const createPasskeyLink = endpoint({
  ...common,
  summary: 'Create a one-time link to a page that leads through the passkey step without a key',
  description:
    'For the owner of the phone. The link is valid for ten minutes and for this step only. A new link replaces the one before it.',
  query: byName,
  answer: z.object({
    success,
    link: z.object({
      url: z.string().meta({ description: 'Contains the token in its fragment, which browsers do not send' }),
      expiresAt: timestamp,
    }),
  }),
  reasons: ['instance_not_found', 'passkey_not_expected'],
})

const EXAMPLE_TOKEN = '1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const token = z.string().min(1).max(80).meta({ description: 'The fragment of the one-time link' })
const LINK_REASONS = ['passkey_link_not_found', 'rate_limited', 'internal', 'unavailable'] as const
const linked = { tag: 'Signing in', live: true } as const

export const readPasskeyLink = endpoint({
  ...linked,
  summary: 'Get the passkey step that a one-time link leads to',
  body: z.strictObject({ token }).meta({ id: 'PasskeyLinkToken', examples: [{ token: EXAMPLE_TOKEN }] }),
  answer: z.object({
    success,
    displayName: z.string().meta({ description: 'Name of the instance' }),
    passkey: PasskeyDemand.nullable(),
    result: z.enum(PASSKEY_RESULTS).nullable().meta({ description: 'How linking ended' }),
    expiresAt: timestamp.meta({ description: 'When the link expires' }),
  }),
  reasons: [...LINK_REASONS],
})

export const answerPasskeyByLink = endpoint({
  ...linked,
  summary: 'Hand in the assertion of the passkey with a one-time link',
  body: z
    .strictObject({ token, assertion: Assertion })
    .meta({ id: 'PasskeyLinkAssertion', examples: [{ token: EXAMPLE_TOKEN, assertion: EXAMPLE_ASSERTION }] }),
  answer: z.object({ success, passkey: after }),
  reasons: [...LINK_REASONS, ...ASSERTION_REASONS, ...NETWORK_REASONS],
})

export const confirmPasskeyByLink = endpoint({
  ...linked,
  summary: 'Confirm the code with a one-time link',
  body: z
    .strictObject({ token, code: codeToConfirm })
    .meta({ id: 'PasskeyLinkConfirmation', examples: [{ token: EXAMPLE_TOKEN, code: 'ABCD-1234' }] }),
  answer: z.object({ success, passkey: after }),
  reasons: [...LINK_REASONS, ...CONFIRM_REASONS, ...NETWORK_REASONS],
})

export const cancelPasskeyByLink = endpoint({
  ...linked,
  summary: 'End the passkey step with a one-time link',
  body: z
    .strictObject({ token })
    .meta({ id: 'PasskeyLinkCancellation', examples: [{ token: EXAMPLE_TOKEN }] }),
  answer: z.object({ success }),
  reasons: [...LINK_REASONS, ...CANCEL_REASONS],
})
