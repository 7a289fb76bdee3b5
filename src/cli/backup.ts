// `backup`: a consistent copy of the database while the server runs.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { command } from './command.ts'
import { bytesText } from './print.ts'

export const backup = command({
  name: 'backup',
  summary: 'Write a consistent copy of the database to a new file, while the server runs',
  description:
    'The master key is not in the copy. Keep it apart from the backups (DATA_DIR/master-key, or MASTER_KEY):\n' +
    'without it, session credentials and webhook secrets cannot be read again.',
  parameters: ['FILE'],
  options: {},
  async run(context, _values, [target]) {
    const settings = context.settings()
    const { createMaintenance } = await import('../maintenance.ts')
    const maintenance = createMaintenance(settings, context.environment)
    const file = resolve(target)
    await maintenance.backup(file)
    const { size } = await stat(file)
    const masterKey = settings.MASTER_KEY === undefined ? `${settings.DATA_DIR}/master-key` : 'MASTER_KEY'
    return {
      json: { file, engine: maintenance.engine, bytes: size, masterKeyIncluded: false, masterKey },
      text:
        `Wrote ${file} (${bytesText(size)}).\n` +
        `The master key is not in it: keep a copy of ${masterKey} in another place, where only you can read it.\n` +
        'Without it, session credentials and webhook secrets in this backup cannot be read.',
    }
  },
})
