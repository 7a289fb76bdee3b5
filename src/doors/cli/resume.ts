// `resume`: ends the hold of a restored database.
import { commandLine } from '../../kernel/process/command-line.ts'
import { command } from './command.ts'

const warning = (): string => `After resuming, this copy takes over from the original:
  - It logs in with the credentials of the backup. If the original still runs, the two disconnect each other.
  - It sends the messages that were queued in the backup. Those that the original has sent since then are sent again under the same
    ids; recipients show them once.
  - It begins new encrypted sessions with all contacts and uploads new one-time keys, because the original has used those of the
    backup since then. The first message of a contact may arrive a few seconds late.
  - It delivers pending events to the webhooks.
Stop the original first. To resume, run: ${commandLine('resume --yes')}`

const RESUMED =
  'Resumed. A running server starts sessions, sending and webhooks within a few seconds. If no server runs, start it.'

const STILL_OFF = 'SESSIONS=off is set: a server with this setting stays held. Start it without the setting.'

export const resume = command({
  name: 'resume',
  summary: 'Start sessions, sending and webhooks on a restored database',
  description: 'Works with and without a running server. Without --yes it only explains what will happen.',
  parameters: [],
  options: { yes: { type: 'boolean', help: 'Resume. The original must be stopped' } },
  async run(context, { yes }) {
    const settings = context.settings()
    const { createMaintenance } = await import('../../app/maintenance.ts')
    const maintenance = createMaintenance(settings, context.environment)
    const restoredAt = await maintenance.restoredAt()
    const off = settings.SESSIONS === 'off' ? `\n${STILL_OFF}` : ''
    if (restoredAt === undefined) {
      const text = `This database was not restored: there is nothing to resume.${off}`
      return { json: { held: false, resumed: false, restoredAt: null }, text }
    }
    const at = new Date(restoredAt).toISOString()
    if (yes !== true) {
      const text = `This database was restored at ${at} and is held.\n${warning()}`
      return { json: { held: true, resumed: false, restoredAt: at }, text, hasProblems: true }
    }
    await maintenance.clearRestoreMark()
    return { json: { held: false, resumed: true, restoredAt: at }, text: RESUMED + off }
  },
})
