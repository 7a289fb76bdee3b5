// All commands, in the order of the help.
import { accountCommands } from './accounts.ts'
import { backup } from './backup.ts'
import { chatwootCommands } from './chatwoot.ts'
import type { AnyCommand } from './command.ts'
import { destinationCommands } from './destinations.ts'
import { doctor } from './doctor.ts'
import { groupCommands } from './groups.ts'
import { importCommand } from './import.ts'
import { instanceCommands } from './instances.ts'
import { keyCommands } from './keys.ts'
import { limits } from './limits.ts'
import { liveCheck } from './live-check.ts'
import { mcp } from './mcp.ts'
import { messageCommands } from './messages.ts'
import { migrate } from './migrate.ts'
import { nodeCommands } from './nodes.ts'
import { planCommands } from './plans.ts'
import { restore } from './restore.ts'
import { resume } from './resume.ts'
import { rotateMasterKey } from './rotate-master-key.ts'
import { sendCommands } from './send.ts'
import { serve } from './serve.ts'
import { webhookCommands } from './webhooks.ts'
import { webhooksListen } from './webhooks-listen.ts'

export const commands: readonly AnyCommand[] = [
  serve,
  doctor,
  liveCheck,
  migrate,
  backup,
  restore,
  resume,
  rotateMasterKey,
  importCommand,
  ...nodeCommands,
  ...instanceCommands,
  ...sendCommands,
  ...messageCommands,
  ...groupCommands,
  ...webhookCommands,
  webhooksListen,
  ...destinationCommands,
  ...chatwootCommands,
  ...keyCommands,
  mcp,
  limits,
  ...accountCommands,
  ...planCommands,
]
