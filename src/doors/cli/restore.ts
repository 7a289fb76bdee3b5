// `restore`: restores a backup into an empty data directory or database.
import { resolve } from 'node:path'
import { prepareDirectory } from '../../data-dir/secrets.ts'
import { commandLine } from '../../kernel/process/command-line.ts'
import { command } from './command.ts'
import { examineMasterKey, type MasterKeyState } from './master-key.ts'

const fits = (location: string) => `The current master key (${location}) can decrypt it. Start the server.`
const replace = (fault: string) =>
  `${fault}. Put the master key that was used when the backup was made in its place, then start the server.`

const ADVICE: Record<MasterKeyState['state'], (location: string) => string> = {
  fits,
  unused: fits,
  other: (location) => replace(`The current master key (${location}) can NOT decrypt it`),
  missing: (location) =>
    `Put the master key of the backup into ${location} (mode 600) or MASTER_KEY, then start the server.`,
  invalid: (location) => replace(`The current master key (${location}) does not hold 32 bytes in base64`),
  unreadable: (location) => replace(`The current master key (${location}) cannot be read`),
}

const held = (): string =>
  'The database is held: a server on it runs without sessions, sending and webhooks, so it can run next to the original.\n' +
  `To let the copy take over, stop the original, then run: ${commandLine('resume --yes')}`

export const restore = command({
  name: 'restore',
  summary: 'Restore a backup into an empty DATA_DIR or an empty database',
  description:
    'Fails if data exists. A backup does not contain the master key: set it before the first start.\n' +
    'A server on a restored database is held: it runs without sessions, sending and webhooks until resume --yes.',
  parameters: ['FILE'],
  options: {},
  async run(context, _values, [source]) {
    const settings = context.settings()
    const { createMaintenance } = await import('../../app/maintenance.ts')
    const maintenance = createMaintenance(settings, context.environment)
    const file = resolve(source)
    await prepareDirectory(settings.DATA_DIR)
    await maintenance.restore(file)
    const { location, state } = await examineMasterKey(settings, maintenance)
    return {
      json: {
        file,
        engine: maintenance.engine,
        held: true,
        masterKey: state === 'unused' ? 'fits' : state,
      },
      text: `Restored from ${file}.\n${ADVICE[state](location)}\n${held()}`,
      hasProblems: ['other', 'invalid', 'unreadable'].includes(state),
    }
  },
})
