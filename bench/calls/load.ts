import { connect } from 'node:net';

/** An HTTP request to repeat. */
export type Request = {
  method: 'GET' | 'POST';
  path: string;
  token?: string;
  body?: object;
  accept?: string;
};

/** @param asker number in the client address that a proxy would forward: limits count by address */
function wire({ method, path, token, body, accept }: Request, asker: number): Buffer {
  const text = body ? JSON.stringify(body) : '';
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: bench',
    `x-forwarded-for: 203.0.113.${asker}`,
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(accept ? [`accept-encoding: ${accept}`] : []),
    ...(body ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

/**
 * Repeats requests over many connections, each as soon as its response is there. Implements just enough HTTP to leave the
 * cores to the programs under test.
 * @param requests assigned to the connections in turns
 * @returns number of responses, and the time in seconds
 * @throws Error for a status other than 200
 */
export async function load(
  port: number,
  requests: readonly Request[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<{ answers: number; seconds: number }> {
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      oneAfterAnother(port, wire(requests[index % requests.length]!, index), end),
    ),
  );
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return { answers, seconds: (performance.now() - begin) / 1000 };
}

function oneAfterAnother(port: number, request: Buffer, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let answers = 0;
    let head = '';
    let left = -1;
    const fail = (why: string) => {
      socket.destroy();
      reject(new Error(why));
    };
    socket.on('error', reject);
    socket.on('connect', () => socket.write(request));
    socket.on('data', (chunk: Buffer) => {
      if (left < 0) {
        head += chunk.toString('latin1');
        const bodyAt = head.indexOf('\r\n\r\n');
        if (bodyAt < 0) return;
        if (!head.startsWith('HTTP/1.1 200')) return fail(head.slice(0, 1000));
        const length = /content-length: (\d+)/i.exec(head);
        if (!length) return fail(`no content-length:\n${head.slice(0, 400)}`);
        left = Number(length[1]) - (head.length - bodyAt - 4);
      } else left -= chunk.length;
      if (left > 0) return;
      answers += 1;
      head = '';
      left = -1;
      if (performance.now() < end) return void socket.write(request);
      socket.destroy();
      resolve(answers);
    });
  });
}
