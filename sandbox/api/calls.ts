// Calls of the API about telephone calls: placing, answering and ending them.
import type { FastifyInstance } from 'fastify'
import { sandboxActionRoutes as routes } from '../../src/contract/sandbox-actions.ts'
import type { Call } from '../model/calls.ts'
import { waitFor } from '../model/notifier.ts'
import { answerCall, hangUp, placeCall } from '../network/calls.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { findChat } from '../phones/send.ts'
import { call } from './call.ts'

export function callCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxPlaceCall, ({ params, body }, view) => {
    const phone = view.phone(params.number)
    const { person } = findChat(state.world, phone, body.to)
    return { call: describe(placeCall(state, phone.account, person ?? phone.account, body.video)) }
  })
  call(app, state, routes.sandboxAnswerCall, ({ params, body }, view) => ({
    call: describe(answerCall(state, view.phone(params.number).account, body.callId)),
  }))
  call(app, state, routes.sandboxHangUp, ({ params, body }, view) => ({
    call: describe(hangUp(state, view.phone(params.number).account, body.callId)),
  }))
  call(app, state, routes.sandboxListCalls, async ({ params, query }, view) => {
    const { number } = view.phone(params.number).account
    const fits = ({ id, status }: Call) => (query.callId ?? id) === id && (query.status ?? status) === status
    const found = () => state.calls.of(number).filter(fits)
    return { calls: (await waitFor(state.calls.notifier, query.waitMs, found)).map(describe) }
  })
}

function describe({ id, from, to, isVideo, status, timestamp }: Call) {
  return { id, from: from.number, to: to.number, video: isVideo, status, timestamp }
}
