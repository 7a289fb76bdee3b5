// Contract tests of what the gateway does with a request before its route: keys, scopes, methods, bodies, slow clients.
import { behaviourEngines } from './behaviour-engines.ts'
import { contract, type Gateway } from './gateway.ts'

export const behaviourContract = (name: string, declare: (gateway: () => Promise<Gateway>) => void): void =>
  contract(name, declare, behaviourEngines())
