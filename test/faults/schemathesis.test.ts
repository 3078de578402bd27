// The API by its document, tried by schemathesis, which pip puts into an environment of its own: no failure of the server, and no
// answer that the document does not have.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { must } from '../helpers/scenarios.ts';
import { serving } from '../helpers/serve.ts';

const SECONDS = Number(process.env.SCHEMATHESIS_SECONDS ?? 90);
const CHECKS = [
  ...['not_a_server_error', 'status_code_conformance', 'content_type_conformance'],
  ...['response_schema_conformance', 'response_headers_conformance'],
];
const folder = mkdtempSync(join(tmpdir(), 'council-schemathesis-'));

/** Undefined where there is no Python, or no registry of its packages. */
function installed(): string | undefined {
  try {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'pipe' });
    execFileSync(join(folder, 'bin', 'pip'), ['install', '--quiet', 'schemathesis'], { stdio: 'pipe' });
    return join(folder, 'bin', 'schemathesis');
  } catch (error) {
    console.log(`No schemathesis here: the API is not tried with it. ${String(error).split('\n')[0]}`);
    return undefined;
  }
}
const program = installed();

describe.skipIf(program === undefined)('the API, tried by schemathesis', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['admin', 'member', 'worker'])(
    'never fails, and answers what its document declares: %s',
    async (role) => {
      const project = await newProject();
      for (const id of ['ada', 'ben']) await must(project, ['agents', 'add', id, '--runner', 'human']);
      await must(project, ['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
      const { json } = await project.council<{ token: string }>([
        'token',
        'create',
        '--role',
        role,
        '--json',
      ]);
      const server = await serving(project);
      // A stream has no end, and who waits for nothing waits for ever.
      const left = ['--exclude-path-regex', '/(events|wait)$'];
      const how = ['--no-color', '--continue-on-failure', '--phases', 'coverage,fuzzing'];
      const bounds = ['--max-time', String(SECONDS), '--checks', CHECKS.join(',')];
      const ended = await promisify(execFile)(
        program!,
        [
          ...['run', `${server.url}/openapi.json`, '--header', `Authorization: Bearer ${json.token}`],
          ...[...left, ...how, ...bounds],
        ],
        { cwd: project.root, maxBuffer: 64 * 1024 * 1024 },
      ).then(
        () => 'passed',
        ({ stdout }: { stdout: string }) => stdout,
      );
      await server.stop();
      expect(ended).toBe('passed');
    },
    (SECONDS + 120) * 1000,
  );
});
