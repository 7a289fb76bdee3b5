// The folder of this database in an object store. A bucket that two databases share by mistake then holds a folder for each, and
// neither removes the files of the other.
import { randomBytes } from 'node:crypto'
import type { Db } from '../store/tables.ts'

/** A fact. A restored copy has the same one, and finds the files. */
const FILES_FOLDER = 'files_folder'

export async function ensureFilesFolder(db: Db): Promise<string> {
  await db
    .insertInto('facts')
    .values({ name: FILES_FOLDER, value: randomBytes(8).toString('hex') })
    .onConflict((oc) => oc.column('name').doNothing())
    .execute()
  const fact = await db
    .selectFrom('facts')
    .select('value')
    .where('name', '=', FILES_FOLDER)
    .executeTakeFirstOrThrow()
  return fact.value
}
