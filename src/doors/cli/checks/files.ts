// Checks that files of received messages can be stored, read and removed.
import type { Maintenance } from '../../../app/maintenance.ts'
import { type FilesLocation, filesLocationOf, type Settings } from '../../../config.ts'
import { type Finding, messageOf, ok, wrong } from './finding.ts'

const WHERE: Record<FilesLocation['kind'], string> = {
  disk: 'DATA_DIR/media/received',
  postgres: 'PostgreSQL',
  s3: 'the object store',
}
const ADVICE: Record<FilesLocation['kind'], string> = {
  disk: 'check the owner of the directory in DATA_DIR and the free disk space',
  postgres: 'check DATABASE_URL, and that its role may write to the table received_file_parts',
  s3: 'check FILES_URL (endpoint, region, bucket), FILES_ACCESS_KEY and FILES_SECRET_KEY; the key must be allowed to get, put, delete and list',
}

export async function checkFiles(settings: Settings, maintenance: Maintenance): Promise<Finding[]> {
  const { kind } = filesLocationOf(settings)
  const { checkFileLocation } = await import('../../../app/maintenance.ts')
  try {
    return [
      ok(
        'files',
        (await checkFileLocation(settings, maintenance))
          ? `a test file was written, read and removed in ${WHERE[kind]}`
          : `${WHERE[kind]} does not exist yet; it is created when it is needed`,
      ),
    ]
  } catch (error) {
    const found = `received files cannot be stored in ${WHERE[kind]}: ${messageOf(error)}`
    return [wrong('files', found, ADVICE[kind])]
  }
}
