// Checks the place for files of received messages, for the command line.
import { filesPlaceOf, type Settings } from '../config.ts'
import { checkDisk } from '../files/disk-store.ts'
import { checkObjectStore } from '../files/object-store.ts'
import type { Maintenance } from '../store/maintenance.ts'
import { openObjectClient, receivedDirectory } from './file-places.ts'

/** Writes, reads and removes a test file. False: there is nothing to check yet. Rejects if it cannot be done. */
export async function checkFilePlace(
  settings: Settings,
  maintenance: Pick<Maintenance, 'checkFileRows'>,
): Promise<boolean> {
  const place = filesPlaceOf(settings)
  if (place.kind === 'disk') return checkDisk(receivedDirectory(settings))
  if (place.kind === 'postgres') return maintenance.checkFileRows()
  const client = await openObjectClient(settings, place)
  try {
    await checkObjectStore(client, place.prefix)
    return true
  } finally {
    await client.close()
  }
}
