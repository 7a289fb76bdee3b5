// POST /people/{number}/block
import { contract } from '../support/gateway.ts'
import { blockRules } from './block-rules.ts'

contract('POST /people/{number}/block', (gateway) => blockRules(gateway, 'blockPerson', true))
