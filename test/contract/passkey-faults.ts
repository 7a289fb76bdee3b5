// Assertions that are refused, by reason: the same for the account and for a one-time link.

import { NetworkError } from '../../src/network/network.ts'
import type { PasskeyAssertion } from '../../src/network/passkey.ts'
import { passkeyOptions, signedAssertion } from '../support/passkey-assertion.ts'

export const wrongAssertions = (
  challenge: string,
): [reason: string, field: string, assertion: PasskeyAssertion][] => [
  ['passkey_malformed', 'id', { ...signedAssertion({ challenge }), id: 'AQIDBA' }],
  [
    'passkey_wrong_type',
    'response.clientDataJSON.type',
    signedAssertion({ challenge, type: 'webauthn.create' }),
  ],
  ['passkey_wrong_challenge', 'response.clientDataJSON.challenge', signedAssertion(passkeyOptions())],
  [
    'passkey_wrong_origin',
    'response.clientDataJSON.origin',
    signedAssertion({ challenge, origin: 'https://gateway.example' }),
  ],
  ['passkey_wrong_site', 'response.authenticatorData', signedAssertion({ challenge, site: 'example.com' })],
  ['passkey_without_presence', 'response.authenticatorData', signedAssertion({ challenge, flags: 0x04 })],
  ['passkey_without_verification', 'response.authenticatorData', signedAssertion({ challenge, flags: 0x01 })],
]

export const NETWORK_FAILURES = [
  [502, 'refused_by_network', new NetworkError('refused', 'bad-request')],
  [504, 'network_timeout', new NetworkError('timeout', 'no answer')],
  [504, 'outcome_unknown', new NetworkError('outcome_unknown', 'the node was lost')],
] as const
