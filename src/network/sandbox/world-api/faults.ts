/** Calls that break things on purpose, and mend them. */
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { sandboxRoutes as routes } from '../../../contract/sandbox.ts'
import type { Exchange } from '../exchange.ts'
import { restrictionOf } from '../fault-state.ts'
import { clearFaults, disconnect, replace, restrict, silence, unlinkAll } from '../faults.ts'
import { phoneOf } from './phones.ts'
import { call } from './routes.ts'

type Fault = z.output<typeof routes.sandboxCreateFault.body>

export function faultCalls(app: FastifyInstance, exchange: Exchange): void {
  call(app, routes.sandboxListFaults, () => ({ faults: listFaults(exchange) }))
  call(app, routes.sandboxCreateFault, async ({ body }) => {
    await startFault(exchange, body)
    exchange.changes.note({ about: 'world' })
    return { faults: listFaults(exchange) }
  })
  call(app, routes.sandboxClearFaults, async ({ query }) => {
    await clearFaults(exchange, query)
    exchange.changes.note({ about: 'world' })
    return { faults: listFaults(exchange) }
  })
}

async function startFault(exchange: Exchange, fault: Fault): Promise<void> {
  const { account } = phoneOf(exchange, fault.number)
  const { rejected, refused, offline } = exchange.faults
  switch (fault.kind) {
    case 'disconnect':
      disconnect(exchange, account, fault.code)
      return
    case 'reject':
      rejected.set(account.number, limited(fault))
      return
    case 'refuse':
      refused.set(account.number, limited(fault))
      return
    case 'replace':
      replace(exchange, account)
      return
    case 'silent':
      silence(exchange, account)
      return
    case 'offline':
      offline.add(account.number)
      return
    case 'unlink':
      await unlinkAll(exchange, account)
      return
    case 'restrict':
      await restrict(exchange, account, Math.floor(Date.now() / 1000) + fault.seconds)
  }
}

function limited({ code, count }: { code: number; count?: number | undefined }) {
  return { code: String(code), left: count ?? Number.POSITIVE_INFINITY }
}

function listFaults({ faults }: Exchange): { number: string; kind: Fault['kind'] }[] {
  const silent = [...faults.silenced].map((connection) => connection.login?.account.number ?? '')
  return [
    ...[...faults.rejected.keys()].map((number) => ({ number, kind: 'reject' as const })),
    ...[...faults.refused.keys()].map((number) => ({ number, kind: 'refuse' as const })),
    ...[...faults.restricted.keys()]
      .filter((number) => restrictionOf(faults, number))
      .map((number) => ({ number, kind: 'restrict' as const })),
    ...[...faults.offline].map((number) => ({ number, kind: 'offline' as const })),
    ...silent.map((number) => ({ number, kind: 'silent' as const })),
  ]
}
