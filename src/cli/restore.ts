// `restore`: restores a backup into an empty data directory or database.
import { resolve } from 'node:path'
import { MASTER_KEY_FILE, prepareDirectory, readMasterKey } from '../data-dir/secrets.ts'
import { commandLine } from '../process/command-line.ts'
import { command } from './command.ts'

const ADVICE = {
  fits: 'The current master key can decrypt it. Start the server.',
  other:
    'The current master key can NOT decrypt it. Set the master key that was used when the backup was made, then start the server.',
  missing: (directory: string) =>
    `Put the master key of the backup into ${directory}/${MASTER_KEY_FILE} (mode 600) or MASTER_KEY, then start the server.`,
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
    const { createMaintenance } = await import('../app/maintenance.ts')
    const maintenance = createMaintenance(settings, context.environment)
    const file = resolve(source)
    await prepareDirectory(settings.DATA_DIR)
    await maintenance.restore(file)
    const key = await readMasterKey(settings.DATA_DIR, settings.MASTER_KEY)
    const fits = key && (await maintenance.opensWith(key))
    const advice =
      key === undefined ? ADVICE.missing(settings.DATA_DIR) : fits === false ? ADVICE.other : ADVICE.fits
    return {
      json: {
        file,
        engine: maintenance.engine,
        held: true,
        masterKey: key === undefined ? 'missing' : fits === false ? 'other' : 'fits',
      },
      text: `Restored from ${file}.\n${advice}\n${held()}`,
      hasProblems: fits === false,
    }
  },
})
