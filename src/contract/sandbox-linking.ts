// What can go wrong while a phone of the sandbox links a client.
import { z } from 'zod'

/** Each happens once. */
export const LINKING_VARIANTS = {
  options_missing: 'The network demands the passkey without its options, which the client then asks for',
  late_request:
    'The demand for the passkey is older than five minutes when the client gets it: no proof is sent, and the owner compares the codes',
  options_error: 'The network refuses that question',
  ref_error: 'The network refuses to issue a reference',
  prologue_error: 'The network refuses the assertion',
  continuation_withheld: 'The network accepts the assertion, and the phone never answers',
  second_request: 'The network accepts the assertion, then demands the passkey again',
  nonce_error: 'The network refuses the nonce of the client',
  pairing_request_error: 'The network refuses the last request',
  drop_after_request: 'The connection is lost after the network has demanded the passkey',
  drop_at_options: 'The connection is lost in place of the answer about the options',
  drop_at_ref: 'The connection is lost in place of a reference',
  drop_at_prologue: 'The connection is lost in place of the answer to the assertion',
  drop_before_continuation: 'The connection is lost before the phone has answered',
  drop_at_nonce: 'The connection is lost in place of the answer to the nonce',
  drop_at_pairing_request: 'The connection is lost in place of the answer to the last request',
  registration_refresh:
    'A scan is refused: the network no longer accepts the secret in the QR code, and the client shows another one',
  app_state_key_withheld:
    'The device is linked, and the phone does not share the key for changes of the account',
  early_success: 'The network confirms a login before the device is linked',
  code_refused: 'The network refuses to issue a pairing code, as when a number was asked for too often',
  code_refresh: 'A typed code is refused: the network lets the client request another one',
  code_refresh_by_owner: 'A typed code is refused, and the owner of the client has to request another one',
  hello_without_key:
    'The client gets news about the typed code that have no key, before the answer of the phone',
} as const

export type LinkingVariant = keyof typeof LINKING_VARIANTS

export const linkingVariant = z.enum(Object.keys(LINKING_VARIANTS) as [LinkingVariant, ...LinkingVariant[]])
