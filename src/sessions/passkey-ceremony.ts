// The passkey step of one instance while it is linked: the current step, wrong assertions, and the one-time link. In memory only:
// the keys of the step are in the connection, so it cannot outlive the process.

import { checkAssertion, PASSKEY_LINK_MS } from '../instances/rules-passkey.ts'
import type { Closed } from '../network/network.ts'
import type {
  AssertionOutcome,
  CancellationOutcome,
  ConfirmationOutcome,
  LinkedPasskey,
  PasskeyAssertion,
  PasskeyCalls,
  PasskeyResult,
  PasskeyStep,
} from '../network/passkey.ts'

/** A person who makes mistakes needs a few; more would be a program that guesses. */
export const WRONG_ASSERTIONS = 10

export interface PasskeyCeremony {
  step(): PasskeyStep | undefined
  /** The network has gone on to this step, on the connection of this session. */
  advance(step: PasskeyStep, session: PasskeyCalls): void
  /** Returns what to report: nothing if no step was under way. */
  end(result: PasskeyResult): { passkey?: { result: PasskeyResult } }
  answer(assertion: PasskeyAssertion): Promise<AssertionOutcome>
  confirm(code: string): Promise<ConfirmationOutcome>
  /** Not while a confirmation is on its way, or after it: the phone may have linked the device already. */
  cancel(): Promise<CancellationOutcome>
  openLink(tokenHash: string): number | null
  followLink(tokenHash: string): LinkedPasskey | null
}

interface Current {
  step: PasskeyStep
  session: PasskeyCalls
  wrongAssertions: number
  /** An assertion or a confirmation is on its way to the network. */
  isBusy: boolean
}

/** `close` ends the connection of the step, and resolves when the state of the instance is recorded. */
export function createPasskeyCeremony(
  clock: () => number,
  close: (end: Pick<Closed, 'cause' | 'reason'>) => Promise<void> | undefined,
): PasskeyCeremony {
  let current: Current | undefined
  /** It ends with the ceremony that it was made for. Until it expires it still shows the result. */
  let link: { tokenHash: string; expiresAt: number } | undefined
  let result: PasskeyResult | undefined

  return {
    step: () => current?.step,
    advance(step, session) {
      if (current?.session === session) {
        current.step = step
        return
      }
      current = { step, session, wrongAssertions: 0, isBusy: false }
      link = undefined
      result = undefined
    },
    end(ended) {
      if (!current) return {}
      current = undefined
      result = ended
      return { passkey: { result: ended } }
    },
    async answer(assertion) {
      const ceremony = current
      if (ceremony?.step.step !== 'assertion_needed' || ceremony.isBusy) return 'not_expected'
      if (ceremony.step.expiresAt <= clock()) return 'not_expected'
      if (ceremony.wrongAssertions >= WRONG_ASSERTIONS) return 'exhausted'
      const fault = checkAssertion(assertion, ceremony.step.options)
      if (fault) {
        ceremony.wrongAssertions += 1
        return fault
      }
      return whileBusy(ceremony, () => ceremony.session.answerPasskey(assertion), 'sent')
    },
    async confirm(code) {
      const ceremony = current
      if (ceremony?.step.step !== 'confirmation_needed' || ceremony.isBusy) return 'not_expected'
      if (plainCode(code) !== plainCode(ceremony.step.code)) return 'other_code'
      return whileBusy(ceremony, () => ceremony.session.confirmPasskey(), 'confirmed')
    },
    async cancel() {
      if (!current || isConfirmed(current)) return 'not_expected'
      await close({ cause: 'passkey_ended', reason: 'cancelled' })
      return 'cancelled'
    },
    openLink(tokenHash) {
      if (!current) return null
      link = { tokenHash, expiresAt: clock() + PASSKEY_LINK_MS }
      return link.expiresAt
    },
    followLink(tokenHash) {
      if (link?.tokenHash !== tokenHash || link.expiresAt <= clock()) return null
      return { step: current?.step ?? null, result: result ?? null, expiresAt: link.expiresAt }
    },
  }
}

async function whileBusy<T>(ceremony: Current, work: () => Promise<unknown>, outcome: T): Promise<T> {
  ceremony.isBusy = true
  try {
    await work()
    return outcome
  } finally {
    ceremony.isBusy = false
  }
}

const isConfirmed = ({ step: { step }, isBusy }: Current): boolean =>
  step === 'finishing' || (step === 'confirmation_needed' && isBusy)

/** As people write it: with or without the dash, in any case. */
const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase()
