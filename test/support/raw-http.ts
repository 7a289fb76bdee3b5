// HTTP over a plain socket, for what no client library does: requests that stop half-way, and the moment when a port no longer
// listens.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface HalfRequest {
  socket: Socket
  /** Sends the rest and resolves with everything the server answered until it closed the connection. */
  finish(): Promise<string>
}

/** Sends `POST /api/v1/instance/create` with only a part of its body, and resolves when the server has it. */
export async function halfRequest(url: string, key: string, body: string): Promise<HalfRequest> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  // With `100 Continue` the server confirms that it has read the head.
  socket.write(
    `POST /api/v1/instance/create HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\nexpect: 100-continue\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`,
  )
  while (!answer.includes('100 Continue')) await once(socket, 'data')
  answer = ''
  socket.write(body.slice(0, 5))
  return {
    socket,
    async finish() {
      const closed = once(socket, 'close')
      socket.write(body.slice(5))
      await closed
      return answer
    },
  }
}

/** Resolves when the server takes no new connection any more. */
export async function refused(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  for (;;) {
    const socket = connect(Number(port), hostname)
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (!open) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
