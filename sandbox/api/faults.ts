// Calls that start, list and clear faults.
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { sandboxRoutes as routes } from '../../src/contract/sandbox.ts'
import type { Account } from '../model/world.ts'
import { type Faults, restrictionOf } from '../network/fault-state.ts'
import {
  clearFaults,
  disconnect,
  replaceConnections,
  restrict,
  silence,
  unlinkAll,
} from '../network/faults.ts'
import { announcePresence } from '../network/presence.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { call } from './call.ts'
import type { View } from './view.ts'

type Fault = z.output<typeof routes.sandboxCreateFault.body>

export function faultCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxListFaults, (_input, view) => ({ faults: listFaults(state.faults, view) }))
  call(app, state, routes.sandboxCreateFault, async ({ body }, view) => {
    const { account } = view.phone(body.number)
    await startFault(state, account, body)
    state.changes.record({ about: 'world' }, [account.owner])
    return { faults: listFaults(state.faults, view) }
  })
  call(app, state, routes.sandboxClearFaults, async ({ query }, view) => {
    const seen = numbersOf(view)
    await clearFaults(state, { ...query, isOwn: (number) => seen.has(number) })
    if (view.account === undefined) state.changes.recordForAll({ about: 'world' })
    else state.changes.record({ about: 'world' }, [view.account])
    return { faults: listFaults(state.faults, view) }
  })
}

const numbersOf = (view: View): Set<string> => new Set(view.phones().map(({ number }) => number))

async function startFault(state: StateWithPhones, account: Account, fault: Fault): Promise<void> {
  const { rejected, refused, offline, linking } = state.faults
  switch (fault.kind) {
    case 'disconnect':
      disconnect(state.online, account, fault.code)
      return
    case 'reject':
      rejected.set(account.number, limited(fault))
      return
    case 'refuse':
      refused.set(account.number, limited(fault))
      return
    case 'replace':
      replaceConnections(state.online, account)
      return
    case 'silent':
      silence(state, account)
      return
    case 'offline':
      offline.add(account.number)
      announcePresence(state, account)
      return
    case 'linking':
      linking.set(account.number, (linking.get(account.number) ?? new Set()).add(fault.variant))
      return
    case 'unlink':
      await unlinkAll(state, account)
      return
    case 'restrict':
      await restrict(state, account, Math.floor(Date.now() / 1000) + fault.seconds)
  }
}

function limited({
  code,
  count,
  seconds,
}: {
  code: number
  count?: number | undefined
  seconds?: number | undefined
}) {
  const untilMs = seconds === undefined ? undefined : Date.now() + seconds * 1000
  return { code: String(code), left: count ?? Number.POSITIVE_INFINITY, untilMs }
}

function listFaults(faults: Faults, view: View): { number: string; kind: Fault['kind'] }[] {
  const seen = numbersOf(view)
  const silent = [...faults.silenced].map((connection) => connection.login?.account.number ?? '')
  return [
    ...[...faults.rejected.keys()].map((number) => ({ number, kind: 'reject' as const })),
    ...[...faults.refused.keys()].map((number) => ({ number, kind: 'refuse' as const })),
    ...[...faults.restricted.keys()]
      .filter((number) => restrictionOf(faults, number))
      .map((number) => ({ number, kind: 'restrict' as const })),
    ...[...faults.offline].map((number) => ({ number, kind: 'offline' as const })),
    ...[...faults.linking.keys()].map((number) => ({ number, kind: 'linking' as const })),
    ...silent.map((number) => ({ number, kind: 'silent' as const })),
  ].filter(({ number }) => seen.has(number))
}
