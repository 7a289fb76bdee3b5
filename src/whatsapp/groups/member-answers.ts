// Reads what the network answered about each person of a request to change the members of a group.
import { type BinaryNode, getBinaryNodeChild, jidNormalizedUser } from '../library/protocol.ts'

/** As the library returns it. The node has the details. */
export interface AnsweredPerson {
  status: string
  jid: string | undefined
  content?: BinaryNode
}

/** With this, a person who cannot be added can be invited. */
export interface Invitation {
  code: string
  expiresAt: number
}

export interface PersonAnswer {
  code: number
  invitation: Invitation | undefined
}

/**
 * One answer per person, in the order of `requested`, which has all identifiers of each person. An answer may use a different
 * identifier than the request; one without any known identifier counts for the person at its position.
 */
export function answersFor(
  requested: readonly (readonly string[])[],
  answered: readonly AnsweredPerson[],
): PersonAnswer[] {
  return requested.map((names, index) => {
    const answer =
      answered.find((each) => namesOf(each).some((name) => names.includes(name))) ?? answered[index]
    return { code: Number(answer?.status ?? NO_ANSWER), invitation: invitationIn(answer?.content) }
  })
}

/** The network left the person out of its answer. */
const NO_ANSWER = 404

const namesOf = ({ jid, content }: AnsweredPerson): string[] =>
  [jid, content?.attrs.phone_number, content?.attrs.lid]
    .filter((name) => name !== undefined)
    .map((name) => jidNormalizedUser(name))

function invitationIn(person: BinaryNode | undefined): Invitation | undefined {
  const { code, expiration } = (person && getBinaryNodeChild(person, 'add_request')?.attrs) ?? {}
  return code ? { code, expiresAt: Number(expiration ?? 0) } : undefined
}
