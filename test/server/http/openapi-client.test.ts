// The OpenAPI document as others use it: a linter reads it, and a client generated from it plays a council to its end.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTs, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../../src/server/remote/host.ts';
import { performCall } from '../../../src/server/remote/perform-call.ts';
import { createProcessCli } from '../../../src/core/cli/io.ts';
import { openApi } from '../../../src/server/http/openapi.ts';
import { serveHttp } from '../../../src/server/http/server.ts';
import { newProject } from '../../helpers/cli.ts';
import { IS_SHORT } from '../../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const MODULES = join(import.meta.dirname, '../../../node_modules');
const program = (path: string): string => join(MODULES, path);
const run = promisify(execFile);
/** Runs a program of Node; what it prints, and that it ended well. */
const node = async (args: string[], cwd: string) => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return run(process.execPath, args, { cwd, env }).then(
    (ended) => ({ ...ended, ok: true }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout, stderr, ok: false }),
  );
};

/** What somebody writes who has the document and nothing else. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

function known<T>({ data, error }: { data?: T; error?: { code: string; detail: string } }): T {
  if (data === undefined) throw new Error(error === undefined ? 'nothing' : error.code + ': ' + error.detail);
  return data;
}

const name = 'queue';
const started = known(
  await client.POST('/api/v1/start', {
    body: { topic: 'Where should the queue live?', agents: ['ada', 'ben'], coordinator: '', mode: 'synthesis', name },
  }),
);
for (const agent of ['ada', 'ben']) {
  const { prompt } = known(await client.POST('/api/v1/view', { body: { agent, name } }));
  if (!prompt.includes('queue')) throw new Error('The prompt lacks the question.');
  const text = '---\\nposition: Redis\\n---\\n\\nIt is there already.';
  known(await client.POST('/api/v1/respond', { body: { agent, name, text } }));
}
const late = await client.POST('/api/v1/respond', { body: { agent: 'eve', name, text: 'Me too.' } });
const code: string | undefined = late.error?.code;
let councils = 1;
for (let ticks = 0; councils > 0 && ticks < 9; ticks++) {
  known(await client.POST('/api/v1/tick', { body: { name } }));
  councils = known(await client.POST('/api/v1/status', { body: {} })).councils.length;
}
const [first] = known(await client.POST('/api/v1/list', { body: {} })).archives;
const { meta } = known(await client.POST('/api/v1/show', { body: { archive: first?.id ?? '' } }));
console.log(JSON.stringify({ phase: started.phase, code, topic: meta.topic, status: meta.status }));
`;

describe('the OpenAPI document, for other programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'council-openapi-'));
  const document = JSON.stringify(openApi('1'));
  const stop = new AbortController();
  beforeAll(() => {
    symlinkSync(MODULES, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'openapi.json'), document);
    writeFileSync(join(folder, 'client.ts'), CLIENT);
  });
  afterAll(() => {
    stop.abort();
    rmSync(folder, { recursive: true });
  });

  it('has no error that a linter finds', async () => {
    const lint = await node(
      [program('@redocly/cli/bin/cli.js'), 'lint', 'openapi.json', '--extends=recommended', '--format=json'],
      folder,
    );
    const { totals, problems } = JSON.parse(lint.stdout) as {
      totals: { errors: number };
      problems: unknown[];
    };
    expect({ errors: totals.errors, problems }).toMatchObject({ errors: 0 });
  });

  long(
    'makes a client that compiles strictly and plays a council to its end',
    async () => {
      writeFileSync(join(folder, 'api.ts'), astToString(await openapiTs(document)));
      const options =
        '--strict --skipLibCheck --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noEmit --allowImportingTsExtensions';
      const how = '--target es2024 --module nodenext --types node';
      const compiled = await node(
        [program('typescript/bin/tsc'), ...options.split(' '), ...how.split(' '), 'client.ts'],
        folder,
      );
      expect(compiled).toMatchObject({ stdout: '', ok: true });

      const project = await newProject();
      for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
      const cli = {
        ...createProcessCli({ json: true, root: undefined, features: [] }),
        ...{ cwd: project.root, env: project.env, note: () => undefined },
      };
      const host = createHost(cli, stop.signal, (asked, gone) => performCall(cli, asked, gone));
      const doors = { isOpen: async () => true, holder: async () => ({ unknown: 'unknown_token' as const }) };
      const serving = { hostname: '127.0.0.1', port: 0, doors, onlyMcp: false, log: () => undefined };
      const { url } = await serveHttp(host, serving);
      const played = await node(['client.ts', url], folder);
      expect(played).toMatchObject({ ok: true });
      expect(JSON.parse(played.stdout)).toEqual({
        ...{ phase: 'COLLECT', code: 'unknown_agent' },
        ...{ topic: 'Where should the queue live?', status: 'COMPLETED' },
      });
    },
    60_000,
  );
});
