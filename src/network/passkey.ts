// The passkey step of linking: the network demands an assertion by the owner's passkey before it links a device.

/** The JSON form of a WebAuthn assertion. Binary values are unpadded base64url. */
export interface PasskeyAssertion {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle: string | null
  }
}

/**
 * assertion_needed: the owner must use the passkey. `options` is the JSON that the network sent, for
 * `PublicKeyCredential.parseRequestOptionsFromJSON`. assertion_sent: the network has accepted the assertion, and the phone has not
 * answered yet. confirmation_needed: the owner compares the code with the one on the phone. finishing: the code is confirmed, or did
 * not have to be, and the device is about to be linked; a code is there if the phone may show one.
 */
export type PasskeyStep =
  | { step: 'assertion_needed'; options: Record<string, unknown>; expiresAt: number }
  | { step: 'assertion_sent'; expiresAt: number }
  | { step: 'confirmation_needed'; code: string; expiresAt: number }
  | { step: 'finishing'; code: string; expiresAt: number }

/**
 * Why the step ended without a linked device. disabled: the setting of the gateway does not allow it. expired: the owner did not use the
 * passkey or confirm the code in time. refused: the network refused an answer. unanswered: the network accepted the assertion, then sent
 * nothing. lost: the connection was lost. cancelled: a person ended it, as when the codes differ.
 */
export type PasskeyEnd = 'disabled' | 'expired' | 'refused' | 'unanswered' | 'lost' | 'cancelled'

export interface PasskeyCalls {
  /**
   * Sends the assertion to the network. It must have been checked against the options. Rejects with `unavailable` when no assertion is
   * expected, or when one was sent before; with `refused` when the network refuses it.
   */
  answerPasskey(assertion: PasskeyAssertion): Promise<void>
  /** The owner has seen the same code on the phone. Rejects with `unavailable` when no confirmation is expected. */
  confirmPasskey(): Promise<void>
}

/** Why an assertion is not sent to the network, and the field of the assertion that shows it. */
export interface AssertionFault {
  reason:
    | 'passkey_malformed'
    | 'passkey_wrong_type'
    | 'passkey_wrong_challenge'
    | 'passkey_wrong_origin'
    | 'passkey_wrong_site'
    | 'passkey_without_presence'
    | 'passkey_without_verification'
  field: string
}

/** not_expected: no assertion is awaited now. exhausted: too many assertions of this step were wrong. */
export type AssertionOutcome = 'sent' | 'not_expected' | 'exhausted' | AssertionFault

/** other_code: the code to compare has changed. */
export type ConfirmationOutcome = 'confirmed' | 'not_expected' | 'other_code'

/** not_expected: there is no step, or the device is about to be linked. */
export type CancellationOutcome = 'cancelled' | 'not_expected'

/** linked: the device is linked. stopped: a request started pairing again, or ended the session. */
export type PasskeyResult = 'linked' | 'stopped' | PasskeyEnd

/** What the holder of a one-time link sees. One of step and result is null. */
export interface LinkedPasskey {
  step: PasskeyStep | null
  result: PasskeyResult | null
  expiresAt: number
}

/** As requests use the step. The node that serves the instance keeps it in memory, with its link and the number of wrong assertions. */
export interface LivePasskeyCalls {
  /** Null: the network demands no passkey now. */
  passkey(instanceId: number): Promise<PasskeyStep | null>
  /** Checks the assertion and sends it. */
  answerPasskey(instanceId: number, assertion: PasskeyAssertion): Promise<AssertionOutcome>
  confirmPasskey(instanceId: number, code: string): Promise<ConfirmationOutcome>
  /** Ends the step without a linked device. The state of the instance says so when this resolves. */
  cancelPasskey(instanceId: number): Promise<CancellationOutcome>
  /** Makes this the only one-time link to the current step. Returns when it expires; null: there is no step. */
  openPasskeyLink(instanceId: number, tokenHash: string): Promise<number | null>
  /** Null: there is no such link, or it has expired. */
  followPasskeyLink(instanceId: number, tokenHash: string): Promise<LinkedPasskey | null>
}

export const PASSKEY_CALLS = [
  'passkey',
  'answerPasskey',
  'confirmPasskey',
  'cancelPasskey',
  'openPasskeyLink',
  'followPasskeyLink',
] as const satisfies readonly (keyof LivePasskeyCalls)[]
