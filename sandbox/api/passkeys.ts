// Calls about the passkey of a phone: to demand it, to read its key, and to sign with it.
import type { FastifyInstance } from 'fastify'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { sandboxPasskeyRoutes as routes } from '../../src/contract/sandbox-passkeys.ts'
import { createPasskey, type Passkey, RELYING_PARTY, signAssertion } from '../model/passkey.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account } from '../model/world.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { writeAccount } from '../store/documents.ts'
import { call } from './call.ts'
import { describePhone } from './phones.ts'

export function passkeyCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxSetPasskey, async ({ params, body }, view) => {
    const { account } = view.phone(params.number)
    account.passkey = { ...(account.passkey ?? createPasskey()), demanded: body.demanded }
    writeAccount(state.database, account)
    state.changes.record({ about: 'world' }, [account.owner])
    await state.database.committed()
    return { phone: describePhone(state, account) }
  })
  call(app, state, routes.sandboxGetPasskey, ({ params }, view) => {
    const { credentialId, userHandle, privateKey, signCount } = passkeyOf(view.phone(params.number).account)
    return {
      passkey: {
        rpId: RELYING_PARTY,
        credentialId: credentialId.toString('base64'),
        userHandle: userHandle.toString('base64'),
        privateKey: privateKey.toString('base64'),
        signCount,
      },
    }
  })
  call(app, state, routes.sandboxSignAssertion, async ({ params, body }, view) => {
    const { account } = view.phone(params.number)
    const assertion = signAssertion(passkeyOf(account), body.options.challenge, body.origin)
    writeAccount(state.database, account)
    await state.database.committed()
    return { assertion }
  })
}

function passkeyOf({ passkey }: Account): Passkey {
  if (passkey) return passkey
  throw new Refusal('passkey_not_found', sentenceOf('passkey_not_found'))
}
