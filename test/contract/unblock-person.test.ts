// POST /people/{number}/unblock
import { contract } from '../support/gateway.ts'
import { blockRules } from './block-rules.ts'

contract('POST /people/{number}/unblock', (gateway) => blockRules(gateway, 'unblockPerson', false))
