// Named with --import before a program: the network library gets the packages that it was published with, instead of ours.
import { registerHooks } from 'node:module'

const ORIGINALS: Readonly<Record<string, string>> = {
  libsignal: 'libsignal-javascript',
  'whatsapp-rust-bridge': 'whatsapp-rust-bridge-wasm',
}

registerHooks({
  resolve(specifier, context, next) {
    const [name = '', ...path] = specifier.split('/')
    const original = context.parentURL?.includes('/node_modules/baileys/') ? ORIGINALS[name] : undefined
    return next(original === undefined ? specifier : [original, ...path].join('/'), context)
  },
})
