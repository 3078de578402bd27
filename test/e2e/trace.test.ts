import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CLI, newProject, until } from '../helpers/cli.ts';

const API = pathToFileURL(
  join(import.meta.dirname, '../../node_modules/@opentelemetry/api/build/src/index.js'),
).href;

/** What the owner of a process loads before council: a provider that appends the names of ended spans to a file. */
const SETUP = `
import { appendFileSync } from 'node:fs';
import api from ${JSON.stringify(API)};
const span = (name) => ({ setAttributes() {}, setStatus() {}, end: () => appendFileSync(process.env.SPANS, name + '\\n') });
api.trace.setGlobalTracerProvider({
  getTracer: () => ({ startActiveSpan: (name, options, work) => work(span(name)) }),
});
`;

async function bench() {
  const project = await newProject();
  await project.council(['agents', 'add', 'ada', '--runner', 'human']);
  const setup = join(project.outside, 'setup.mjs');
  const spans = join(project.outside, 'spans');
  fs.writeFileSync(setup, SETUP);
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(setup).href}`, SPANS: spans };
  return {
    ...project,
    env,
    spans: (): string[] => (fs.existsSync(spans) ? fs.readFileSync(spans, 'utf8').trim().split('\n') : []),
  };
}

describe('spans of OpenTelemetry', () => {
  it('go to the provider of the process, whose copy of the API is another one', async () => {
    const { council, launch, env, spans } = await bench();
    const watcher = launch(['watch-channel', 'ada', '--', 'sh', '-c', 'cat > /dev/null; echo Yes'], { env });
    await until('the watcher is ready', () => watcher.output().includes('Answering for'));
    expect((await council(['send', 'ada', 'Hello'], { env })).code).toBe(0);
    await until('the message is delivered', () => spans().includes('council.deliver'));
    watcher.child.kill('SIGTERM');
    await watcher.ended;
    expect(new Set(spans())).toEqual(
      new Set(['council.send', 'council.launch', 'council.deliver', 'council.commit']),
    );
  });

  it('cost nothing where nobody listens: the API is not even loaded', () => {
    const dist = join(CLI, '..');
    expect(fs.existsSync(join(dist, 'lib/@opentelemetry/api.js'))).toBe(true);
    expect(fs.readFileSync(join(dist, 'program.js'), 'utf8')).not.toContain('setGlobalTracerProvider');
  });
});
