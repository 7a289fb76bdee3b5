// All tools, in the order in which agents see them.
import type { Route } from '../../../contract/route.ts'
import { routes } from '../../../contract/routes.ts'
import type { Tool } from '../tool.ts'
import { decideApproval } from './approving.ts'
import * as reading from './reading.ts'
import * as sending from './sending.ts'
import { waitForAnswer } from './waiting.ts'

export const TOOLS: readonly Tool[] = [
  reading.listInstances,
  reading.findPeople,
  reading.listConversations,
  reading.readConversation,
  reading.searchMessages,
  reading.readMessage,
  reading.listGroups,
  reading.checkNumber,
  sending.sendText,
  sending.sendFile,
  sending.react,
  sending.cancel,
  sending.markRead,
  waitForAnswer,
  decideApproval,
]

/** The tools whose routes the key may all use. */
export const toolsOf = (mayUse: (route: Route) => boolean): Tool[] =>
  TOOLS.filter(({ uses }) => uses.every((id) => mayUse(routes[id])))
