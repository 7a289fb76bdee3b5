// The call that puts frames of any content on the wire.
import type { FastifyInstance } from 'fastify'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { sandboxRoutes as routes } from '../../src/contract/sandbox.ts'
import { Refusal } from '../model/refusal.ts'
import { injectFrame } from '../phones/inject.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { call } from './call.ts'

export function injectionCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxInjectFrames, async ({ body }, view) => {
    const { account } = view.phone(body.number)
    // A frame can harm every account of the gateway that receives it.
    if (view.account !== undefined) throw new Refusal('operator_only', sentenceOf('operator_only'))
    let sent = 0
    for (const frame of body.frames) if (await injectFrame(state, account, frame)) sent += 1
    return { sent }
  })
}
