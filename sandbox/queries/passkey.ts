// Queries of a client for which the network demands a passkey (`md`).
import type { LinkingVariant } from '../../src/contract/sandbox-linking.ts'
import type { Connection } from '../network/connection.ts'
import { takeLinkingFault } from '../network/fault-state.ts'
import type { Ceremony } from '../network/passkey-ceremonies.ts'
import {
  acceptNonce,
  acceptPairingRequest,
  acceptPrologue,
  issueRef,
  optionsOf,
  StepRefused,
} from '../network/passkey-steps.ts'
import type { SandboxState } from '../network/sandbox-state.ts'
import type { Stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

interface Step {
  answer(asked: { state: SandboxState; connection: Connection; ceremony: Ceremony; topic: Stanza }): Answer
  error: LinkingVariant
  drop: LinkingVariant
}

const STEPS: Record<string, Step> = {
  passkey_request_options: {
    answer: ({ state, ceremony }) => [optionsOf(state, ceremony)],
    error: 'options_error',
    drop: 'drop_at_options',
  },
  ref: { answer: ({ ceremony }) => [issueRef(ceremony)], error: 'ref_error', drop: 'drop_at_ref' },
  passkey_prologue: {
    answer({ state, connection, ceremony, topic }) {
      acceptPrologue(state, connection, ceremony, topic)
      return undefined
    },
    error: 'prologue_error',
    drop: 'drop_at_prologue',
  },
  companion_nonce: {
    answer({ state, ceremony, topic }) {
      acceptNonce(state, ceremony, topic)
      return undefined
    },
    error: 'nonce_error',
    drop: 'drop_at_nonce',
  },
  encrypted_pairing_request: {
    answer({ state, connection, ceremony, topic }) {
      acceptPairingRequest(state, connection, ceremony, topic)
      return undefined
    },
    error: 'pairing_request_error',
    drop: 'drop_at_pairing_request',
  },
}

export const isPasskeyTopic = (tag: string): boolean => Object.hasOwn(STEPS, tag)

export function answerPasskey(state: SandboxState, connection: Connection, topic: Stanza): Answer {
  const step = STEPS[topic.tag]
  const ceremony = state.ceremonies.byConnection.get(connection)
  if (!step || !ceremony) throw new QueryError(404, 'item-not-found')
  const has = (variant: LinkingVariant) => takeLinkingFault(state.faults, ceremony.account.number, variant)
  if (has(step.error)) throw new QueryError(400, 'bad-request')
  if (has(step.drop)) {
    connection.close()
    return undefined
  }
  try {
    return step.answer({ state, connection, ceremony, topic })
  } catch (error) {
    if (error instanceof StepRefused) throw new QueryError(400, 'bad-request')
    throw error
  }
}
