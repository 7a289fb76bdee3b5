// A gateway on the sandbox, an instance on it, a person to write to, and the stub: the surroundings in which a client is tested.

import type { ClientTask } from './client-report.ts'
import { type ClientStub, startClientStub } from './client-stub.ts'
import type { Engine } from './engines.ts'
import { freePort } from './free-port.ts'
import { linkedInstance, newNumber, world } from './linked.ts'
import { onSharedSandbox } from './shared-sandbox.ts'
import { newKey } from './started.ts'
import { type StartedHere, startHere } from './started-here.ts'

export interface ClientWorld {
  gateway: StartedHere
  stub: ClientStub
  task: ClientTask
  /** The number of the instance, to which the person can write. */
  owner: string
  /** Stops the gateway, and starts it again at the same address. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startClientWorld(engine: Engine): Promise<ClientWorld> {
  const storeLocation = await engine.createLocation()
  const settings = { ...(await onSharedSandbox()), PORT: String(await freePort()) }
  let gateway = await startHere(storeLocation, newKey(), settings)
  const stub = await startClientStub()
  const [owner, number] = [newNumber(), newNumber()]
  const instanceName = await linkedInstance(gateway, owner)
  await world(gateway, 'POST /phones', { number, name: 'Bob' })
  const { url, key } = gateway
  return {
    gateway,
    stub,
    async restart() {
      await gateway.stop()
      gateway = await startHere(storeLocation, key, settings)
    },
    owner,
    task: { url, key, stubUrl: stub.url, instanceName, number, texts: ['one', 'two', 'três 👋\u2028\u0085'] },
    async stop() {
      await gateway.stop()
      await stub.close()
      await storeLocation.dispose()
    },
  }
}
