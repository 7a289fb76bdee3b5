// `restore`: fills an empty place from a backup.
import { resolve } from 'node:path'
import { MASTER_KEY_FILE, prepareDirectory, readMasterKey } from '../key-files.ts'
import { command } from './command.ts'

const ADVICE = {
  fits: 'The master key that is set opens it. Start the server.',
  other:
    'The master key that is set does NOT open it: set the one that was in use when the backup was made, then start the server.',
  missing: (directory: string) =>
    `Now put the master key that was in use into ${directory}/${MASTER_KEY_FILE} (mode 600) or MASTER_KEY, then start the server.`,
}

export const restore = command({
  name: 'restore',
  summary: 'Fill an empty DATA_DIR or an empty database from a backup',
  description: 'Refuses where data exists. The master key is not in a backup: set it before the first start.',
  parameters: ['FILE'],
  options: {},
  async run(context, _values, [source]) {
    const settings = context.settings()
    const { createMaintenance } = await import('../maintenance.ts')
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
        masterKey: key === undefined ? 'missing' : fits === false ? 'other' : 'fits',
      },
      text: `Restored from ${file}.\n${advice}`,
      bad: fits === false,
    }
  },
})
