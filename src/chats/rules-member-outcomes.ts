// What the network's answer about one person means for the caller.
import type { MemberAction } from '../contract/group-values.ts'
import type { MemberOutcome, RequestOutcome } from '../contract/groups.ts'
import type { MemberAnswer } from '../network/groups.ts'

const DONE = 200
const NOT_FOUND = 404
const ALREADY = 409

interface Meaning<Outcome> {
  outcome: Outcome
  networkCode: number | null
}

/** By action and code. Any other code is a refusal. */
const MEMBER_CODES: Record<MemberAction, Record<number, MemberOutcome>> = {
  add: { [DONE]: 'added', [NOT_FOUND]: 'not_on_network', [ALREADY]: 'already_member' },
  remove: { [DONE]: 'removed', [NOT_FOUND]: 'not_a_member' },
  promote: { [DONE]: 'promoted', [NOT_FOUND]: 'not_a_member' },
  demote: { [DONE]: 'demoted', [NOT_FOUND]: 'not_a_member' },
}
const REQUEST_CODES: Record<'approve' | 'reject', Record<number, RequestOutcome>> = {
  approve: { [DONE]: 'approved', [NOT_FOUND]: 'no_request' },
  reject: { [DONE]: 'rejected', [NOT_FOUND]: 'no_request' },
}

export function memberOutcome(
  action: MemberAction,
  { code, isInvited }: MemberAnswer,
): Meaning<MemberOutcome> {
  return isInvited ? { outcome: 'invited', networkCode: null } : meaning(MEMBER_CODES[action], code)
}

export const requestOutcome = (
  answer: 'approve' | 'reject',
  { code }: Pick<MemberAnswer, 'code'>,
): Meaning<RequestOutcome> => meaning(REQUEST_CODES[answer], code)

const meaning = <Outcome extends string>(
  codes: Record<number, Outcome>,
  code: number,
): Meaning<Outcome | 'refused'> => {
  const outcome = codes[code]
  return outcome === undefined ? { outcome: 'refused', networkCode: code } : { outcome, networkCode: null }
}
