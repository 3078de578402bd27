import fs from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { inject, onTestFinished } from 'vitest';
import type { TestContext } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { fakeModel } from '../helpers/fake-model.ts';
import type { Asked, FakeModel, Reply } from '../helpers/fake-model.ts';
import { gate } from './gate.ts';
import type { Gate } from './gate.ts';
import type { Kind } from './install.ts';

/** A project, a model server, and the agent programs with settings of their own that point at that server. */
export interface Lab {
  project: Project;
  model: FakeModel;
  gate: Gate;
  /** Programs that run with this lab's home, as far as this machine tells. */
  alive(): string[];
}

/** Variables that a program needs beside those that council passes by itself, as names for `council.env`. */
export const ENV: Record<Kind, string[]> = {
  claude: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY', 'CLAUDE_CONFIG_DIR', 'HTTPS_PROXY', 'NO_PROXY'],
  codex: ['CODEX_HOME', 'FAKE_KEY', 'HTTPS_PROXY', 'NO_PROXY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'HTTPS_PROXY', 'NO_PROXY'],
  opencode: ['OPENCODE_CONFIG', 'HTTPS_PROXY', 'NO_PROXY'],
};

/**
 * Sets all of it up in a fresh temp folder for the programs that the test needs; without one of them the test is skipped
 * and says why. The servers are closed when the test is over.
 */
export async function newLab(
  context: TestContext,
  kinds: Kind[],
  answer: (asked: Asked) => Reply,
): Promise<Lab> {
  const clis = inject('clis');
  for (const kind of kinds) {
    const cli = clis[kind];
    if ('missing' in cli) context.skip(`${kind}: ${cli.missing}`);
  }
  const project = await newProject();
  const model = await fakeModel(answer);
  const out = await gate();
  onTestFinished(async () => {
    await model.close();
    await out.close();
  });
  const home = project.env.HOME!;
  const bins = Object.values(clis).flatMap((cli) => ('program' in cli ? dirname(cli.program) : []));
  Object.assign(project.env, {
    PATH: [...new Set(bins), project.env.PATH].join(delimiter),
    HTTPS_PROXY: out.url,
    NO_PROXY: '127.0.0.1,localhost',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'key-of-nobody-a',
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    CODEX_HOME: join(home, 'codex'),
    FAKE_KEY: 'key-of-nobody-b',
    GEMINI_API_KEY: 'key-of-nobody-c',
    GOOGLE_GEMINI_BASE_URL: model.url,
    OPENCODE_CONFIG: join(home, 'opencode.json'),
  });
  // Where it would be on a machine where nobody says otherwise: then programs need not be told either.
  delete project.env.XDG_STATE_HOME;
  writeSettings(home, model.url);
  // Two that make its database at the same moment fail: on a machine in use it is there.
  if (kinds.includes('opencode') && 'program' in clis.opencode)
    await execa(clis.opencode.program, ['session', 'list'], {
      env: project.env,
      extendEnv: false,
      cwd: home,
    });
  return { project, model, gate: out, alive: () => runningWith(home) };
}

function writeSettings(home: string, url: string): void {
  const write = (path: string, text: string): void => {
    fs.mkdirSync(dirname(join(home, path)), { recursive: true });
    fs.writeFileSync(join(home, path), text);
  };
  write(
    'codex/config.toml',
    `model = "fake-model"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`,
  );
  const gemini = {
    // Without it the program asks which account it shall use.
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false },
  };
  write('.gemini/settings.json', JSON.stringify(gemini));
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'fake',
    options: { baseURL: `${url}/v1`, apiKey: 'fake' },
    models: { 'fake-model': { name: 'fake-model', cost: { input: 3, output: 15 } } },
  };
  const opencode = {
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    autoupdate: false,
    share: 'disabled',
    provider: { fake: provider },
  };
  write('opencode.json', JSON.stringify(opencode));
}

/** Waits until every program that was launched has ended; fails by naming those that have not. */
export async function expectNobodyLeft({ alive }: Lab): Promise<void> {
  await until('every program of the lab has ended', () => alive().length === 0, 5_000).catch(
    (error: unknown) => {
      throw new Error(`Still running: ${alive().join(', ')}`, { cause: error });
    },
  );
}

function runningWith(home: string): string[] {
  // Only Linux shows the environment of other processes in files.
  if (process.platform !== 'linux') return [];
  return fs.readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      if (!fs.readFileSync(`/proc/${pid}/environ`).includes(`HOME=${home}\0`)) return [];
      return `${pid} ${fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 120)}`;
    } catch {
      // It has ended since the folder was read, or belongs to somebody else.
      return [];
    }
  });
}
