// The generated files of clients/ and integrations/, made from the OpenAPI document: `npm run docs:clients` writes them.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClientDocument, readDocument } from './clients/document.ts'
import { n8nFiles } from './clients/n8n.ts'
import { phpFiles } from './clients/php.ts'
import { pythonFiles } from './clients/python.ts'
import { typescriptFiles } from './clients/typescript.ts'

/** Texts by their path from the root of the repository. */
export const generatedFiles = (document: ClientDocument = readDocument()): Record<string, string> => ({
  ...typescriptFiles(document),
  ...pythonFiles(document),
  ...phpFiles(document),
  ...n8nFiles(document),
})

if (import.meta.main)
  for (const [path, text] of Object.entries(generatedFiles()))
    await writeFile(join(import.meta.dirname, '..', path), text)
