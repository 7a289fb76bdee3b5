// A server process that reports its memory to the run that started it, and uses the name server of that run. It ends with the
// run, when its channel closes.
import { createDnsResolve } from '../../src/kernel/outbound/resolver.ts'
import { serve } from '../../src/serve.ts'

const nameServer = process.env.NAME_SERVER
if (nameServer === undefined) throw new Error('NAME_SERVER: expected an address and a port')
process.on('message', () => process.send?.(process.memoryUsage()))
process.on('disconnect', () => process.exit(1))
process.channel?.unref()
await serve(process.env, { resolver: createDnsResolve([nameServer]) })
