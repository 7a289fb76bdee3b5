// Checks the location for files of received messages, for the command line.
import { filesLocationOf, type Settings } from '../config.ts'
import { checkDisk } from '../files/disk-store.ts'
import { checkObjectStore } from '../files/object-store.ts'
import type { Maintenance } from '../store/maintenance.ts'
import { openObjectClient, receivedDirectory } from './file-locations.ts'

/** Writes, reads and removes a test file. False: there is nothing to check yet. Rejects if it cannot be done. */
export async function checkFileLocation(
  settings: Settings,
  maintenance: Pick<Maintenance, 'checkFileRows'>,
): Promise<boolean> {
  const location = filesLocationOf(settings)
  if (location.kind === 'disk') return checkDisk(receivedDirectory(settings))
  if (location.kind === 'postgres') return maintenance.checkFileRows()
  const client = await openObjectClient(settings, location)
  try {
    await checkObjectStore(client, location.prefix)
    return true
  } finally {
    await client.close()
  }
}
