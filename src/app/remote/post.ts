// Sends one JSON document to a server, and waits for the answer however long the server takes for it.

/** What was answered. */
export interface Posted {
  status: number;
  type: string | undefined;
  /** The body as JSON; undefined where it is none. */
  body: unknown;
}

/**
 * Rejects where the server is not reached, or breaks off. Not by `fetch`, which gives up after five minutes without an answer:
 * whoever waits for a turn, a task or an answer waits longer. Follows nobody elsewhere: a token goes where it was meant for.
 */
export async function post(
  url: string,
  sent: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<Posted> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const { signal } = sent;
  const headers = { ...sent.headers, 'Content-Length': Buffer.byteLength(sent.body) };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers, signal }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: answer.headers['content-type'],
          body: jsonOrNone(Buffer.concat(chunks).toString('utf8')),
        }),
      );
    });
    asked.on('error', reject);
    asked.end(sent.body);
  });
}

function jsonOrNone(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
