// The passkey of a phone, as the API shows it: without its key.
import type { Account } from '../model/world.ts'
import type { SandboxState } from '../network/sandbox-state.ts'

export function describePasskey({ ceremonies }: Pick<SandboxState, 'ceremonies'>, account: Account) {
  const { passkey, number } = account
  if (!passkey) return null
  const ceremony = ceremonies.latest.get(number)
  return {
    demanded: passkey.demanded,
    step: ceremony?.step ?? null,
    code: ceremony?.code ?? null,
    proven: ceremony?.proven ?? false,
  }
}
