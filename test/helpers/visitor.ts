// Somebody at the pages of a server, without a browser: keeps the cookie, and sends forms with their token.
import http from 'node:http';

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

type Headers = Record<string, string | undefined>;

export function visitorAt(url: string) {
  const { port, host } = new URL(url);
  let cookie: string | undefined;
  let token = '';
  const send = (method: string, path: string, headers: Headers, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const given = { host, accept: 'text/html', ...(cookie !== undefined && { cookie }), ...headers };
      const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const req = http.request({ port, host: '127.0.0.1', method, path, headers: known }, (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        res.on('end', () => {
          const [set] = res.headers['set-cookie'] ?? [];
          if (set !== undefined) cookie = set.split(';')[0];
          token = /name="form-token" value="([^"]*)"/.exec(text)?.[1] ?? token;
          resolve({ status: res.statusCode ?? 0, headers: res.headers, body: text });
        });
      });
      req.on('error', reject);
      req.end(body);
    });
  const get = (path: string, headers: Headers = {}): Promise<Answer> => send('GET', path, headers);
  const post = (
    path: string,
    fields: Record<string, string | string[]> = {},
    headers: Headers = {},
  ): Promise<Answer> => {
    const form = new URLSearchParams({ 'form-token': token });
    for (const [name, value] of Object.entries(fields)) {
      form.delete(name);
      for (const one of [value].flat()) form.append(name, one);
    }
    const own = {
      origin: url,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    };
    return send('POST', path, { ...own, ...headers }, form.toString());
  };
  return {
    get,
    post,
    cookie: () => cookie,
    /** Follows where a form leads. */
    async send(path: string, fields: Record<string, string | string[]> = {}): Promise<Answer> {
      const { status, headers, body } = await post(path, fields);
      if (status !== 303) throw new Error(`${path} answered ${status}: ${body.slice(0, 2000)}`);
      return get(String(headers.location));
    },
    async join(code: string): Promise<Answer> {
      return this.send('/join', { code });
    },
  };
}
