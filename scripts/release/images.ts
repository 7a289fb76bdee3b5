// The container images that a release names: each of another project is fixed by its digest.
import type { Fault } from './fault.ts'

/** `ARG NODE_IMAGE=image` and `FROM image` of the Dockerfile, `image: image` of Compose. */
const NAMED = /^(?:FROM |ARG [A-Z_]*IMAGE=|\s*image: )\s*(\S+)/
/** The image of this project, and a build argument. */
const OWN = /^(switchboard-gateway:|\$\{)/
const FIXED = /^[a-z0-9./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/
const NODE_IMAGE = /^node:([^-@]+)/

/** `files` are texts by their names. */
export function imageFaults(files: Record<string, string>, nodeVersion: string): Fault[] {
  return Object.entries(files).flatMap(([file, text]) => {
    const images = text.split('\n').flatMap((line) => NAMED.exec(line)?.[1] ?? [])
    const foreign = images.filter((image) => !OWN.test(image))
    return foreign.flatMap((image) => faultsOf(image, nodeVersion).map((words) => ({ file, text: words })))
  })
}

function faultsOf(image: string, nodeVersion: string): string[] {
  const [name = ''] = image.split('@')
  const node = NODE_IMAGE.exec(image)?.[1]
  return [
    ...(FIXED.test(image)
      ? []
      : [`${image} has no digest: add the one that "docker buildx imagetools inspect ${name}" prints`]),
    ...(node === undefined || node === nodeVersion
      ? []
      : [`${name} has a different Node than package.json (${nodeVersion}): use node:${nodeVersion}-…`]),
  ]
}
