import { expect } from 'vitest';
import { until } from './cli.ts';
import type { Project } from './cli.ts';

type Event = { event: string } & Record<string, unknown>;

/** `council serve --json` of a project, once it listens. */
export async function serving(project: Project, args: string[] = [], env: Record<string, string> = {}) {
  const running = project.launch(['serve', '--port', '0', '--json', ...args], { env });
  const events = (): Event[] =>
    running
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"event"'))
      .map((line) => JSON.parse(line) as Event);
  await until('the server listens', () => events().some(({ event }) => event === 'listening'));
  return {
    url: String(events()[0]!.url),
    running,
    events,
    async stop() {
      running.child.kill('SIGTERM');
      const { code, stderr } = await running.ended;
      return { code, stderr, events: events() };
    },
  };
}

/** The API at an address, for one token. */
export function apiOf(url: string, token?: string) {
  const post = (call: string, input: unknown = {}, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/api/v1/${call}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify(input),
    });
  return {
    post,
    async ok<T = unknown>(call: string, input?: unknown, headers?: Record<string, string>): Promise<T> {
      const answer = await post(call, input, headers);
      const body = (await answer.json()) as T;
      expect({ call, status: answer.status, body }).toMatchObject({ status: 200 });
      return body;
    },
    async refused(call: string, input?: unknown, headers?: Record<string, string>) {
      const answer = await post(call, input, headers);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      return (await answer.json()) as {
        status: number;
        code: string;
        hint: string | null;
        document?: unknown;
      };
    },
  };
}
