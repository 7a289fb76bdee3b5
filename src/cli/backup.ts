// `backup`: writes a consistent copy of the database while the server runs.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { command } from './command.ts'
import { formatBytes } from './print.ts'

export const backup = command({
  name: 'backup',
  summary: 'Write a consistent copy of the database to a new file, while the server runs',
  description:
    'The backup does not contain the master key (DATA_DIR/master-key, or MASTER_KEY). Store it separately from the backups:\n' +
    'session credentials and webhook secrets cannot be decrypted without it.',
  parameters: ['FILE'],
  options: {},
  async run(context, _values, [target]) {
    const settings = context.settings()
    const { createMaintenance } = await import('../app/maintenance.ts')
    const maintenance = createMaintenance(settings, context.environment)
    const file = resolve(target)
    await maintenance.backup(file)
    const { size } = await stat(file)
    const masterKey = settings.MASTER_KEY === undefined ? `${settings.DATA_DIR}/master-key` : 'MASTER_KEY'
    return {
      json: { file, engine: maintenance.engine, bytes: size, masterKeyIncluded: false, masterKey },
      text:
        `Wrote ${file} (${formatBytes(size)}).\n` +
        `The backup does not contain the master key. Store a copy of ${masterKey} in a separate, private place:\n` +
        'session credentials and webhook secrets in the backup cannot be decrypted without it.',
    }
  },
})
