// An instance whose network demands a passkey, for contract tests: the ceremony is the real one, the network behind it is scripted.
import type { LivePasskeyCalls, PasskeyCalls, PasskeyStep } from '../../src/network/passkey.ts'
import { createPasskeyCeremony } from '../../src/sessions/passkey-ceremony.ts'
import { passkeyOptions } from '../support/passkey-assertion.ts'
import type { Fixture } from './fixture.ts'

export interface Demanded {
  name: string
  id: number
  challenge: string
  /** Goes on to this step. */
  advance(step: PasskeyStep): Promise<void>
  end(): void
  /** What the network answers to the next assertion or confirmation. */
  network: { answer: () => Promise<void>; confirm: () => Promise<void> }
}

/** Every test has an instance of its own, and the sessions of the gateway are scripted for all of them. */
export async function demandPasskey({ mine, sessions, clock }: Omit<Fixture, 'instance'>): Promise<Demanded> {
  const created = await mine.call('createInstance', { body: { instanceName: 'Passkey' } })
  const { id, apiInstanceName: name } = created.json.instance as { id: number; apiInstanceName: string }
  const ceremony = createPasskeyCeremony(clock.now, async () => {
    ceremony.end('cancelled')
    await sessions.move(id, 'passkey_cancelled')
  })
  const options = passkeyOptions()
  const network = { answer: async () => undefined as void, confirm: async () => undefined as void }
  const session: PasskeyCalls = {
    answerPasskey: () => network.answer(),
    confirmPasskey: () => network.confirm(),
  }
  const { script } = sessions
  const before = { ...script }
  const calls: LivePasskeyCalls = {
    passkey: async (of) => (of === id ? (ceremony.step() ?? null) : before.passkey(of)),
    answerPasskey: async (of, given) =>
      of === id ? ceremony.answer(given) : before.answerPasskey(of, given),
    confirmPasskey: async (of, code) =>
      of === id ? ceremony.confirm(code) : before.confirmPasskey(of, code),
    cancelPasskey: async (of) => (of === id ? ceremony.cancel() : before.cancelPasskey(of)),
    openPasskeyLink: async (of, hash) =>
      of === id ? ceremony.openLink(hash) : before.openPasskeyLink(of, hash),
    followPasskeyLink: async (of, hash) =>
      of === id ? ceremony.followLink(hash) : before.followPasskeyLink(of, hash),
  }
  Object.assign(script, calls)
  const advance = async (step: PasskeyStep) => {
    ceremony.advance(step, session)
    await sessions.move(id, step.step === 'assertion_needed' ? 'passkey_needed' : 'passkey_sent')
  }
  await advance({ step: 'assertion_needed', options, expiresAt: clock.now() + 600_000 })
  return { name, id, challenge: options.challenge, advance, end: () => void ceremony.end('expired'), network }
}
