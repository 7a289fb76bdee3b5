// What a source file imports, read with a small scanner. Not with a library: dependency-cruiser finds no modules under
// TypeScript 7 and then passes silently, and the few forms that this code base uses fit into one expression.
import { posix } from 'node:path'

export interface Source {
  /** From the root of the project, with slashes. */
  path: string
  text: string
}

export interface Import {
  from: string
  /** A path from the root of the project, a package, or what could not be read. */
  to: string
}

const STATIC = /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*['"]([^'"]+)['"]/g
const FOR_EFFECT = /^\s*import\s*['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\s*\(\s*(?:['"]([^'"]+)['"]|([^)]*))/g

export function importsOf({ path, text }: Source): Import[] {
  const code = withoutComments(text)
  const found = [STATIC, FOR_EFFECT, DYNAMIC].flatMap((pattern) =>
    // A dynamic import of anything but a plain text cannot be judged, and is shown as it stands.
    [...code.matchAll(pattern)].map((match) => match[1] ?? `import(${match[2]})`),
  )
  return found.map((name) => ({
    from: path,
    to: name.startsWith('.') ? posix.join(posix.dirname(path), name) : name,
  }))
}

/** Good enough for this code: the slashes of an address in a text have no blank before them. */
/** What a file imports beside types. */
export const valuesFrom = ({ path, text }: Source): string[] =>
  importsOf({ path, text: text.replaceAll(/^(?:import|export) type [^;]*?from '[^']+'/gm, '') }).map(
    ({ to }) => to,
  )

export const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')

/** `@scope/name/file` and `name/file` → the package. */
export const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

/** The first cycle that is found, as a path that ends where it begins. Type imports count. */
export function findCycle(files: readonly Source[]): string[] | undefined {
  const paths = new Set(files.map(({ path }) => path))
  const imports = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .map(({ to }) => to)
        .filter((to) => paths.has(to)),
    ]),
  )
  const finished = new Set<string>()
  const visit = (path: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (finished.has(path)) return undefined
    for (const next of imports.get(path) ?? []) {
      const cycle = visit(next, [...trail, path])
      if (cycle) return cycle
    }
    finished.add(path)
    return undefined
  }
  for (const path of paths) {
    const cycle = visit(path, [])
    if (cycle) return cycle
  }
  return undefined
}
