import fs, { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CouncilError } from '../../src/core/base/errors.ts';
import { specs } from '../../src/program/specs.ts';
import { parse, serialize } from '../../src/core/council/document/document.ts';
import { newProject, projectIn, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';
import { ESCAPES, ESCAPES_IN_LINE, findUnprintable } from '../helpers/unprintable.ts';

/** Codes that no colour of ours has: red text from `ESCAPES` would pass for one otherwise. */
const FOREIGN = /\u001b\[31mred|\u001b\[2J|\u001b\]/; // eslint-disable-line no-control-regex

/** A project as somebody may have cloned it: whatever can hold text holds escapes, the names of files and folders too. */
async function clonedProject(): Promise<Project> {
  const { outside } = await newProject({ init: false });
  const project = projectIn(outside, join(outside, `cloned ${ESCAPES_IN_LINE.replaceAll('/', '')}`));
  for (const dir of [project.root, project.outside]) fs.mkdirSync(dir, { recursive: true });
  await project.council(['init', '--no-detect']);
  const said = `---\nposition: ${JSON.stringify(`Stay ${ESCAPES}`)}\nblocking: [${JSON.stringify(`Blocked ${ESCAPES}`)}]\n---\nsaid ${ESCAPES}\n`;
  addSpeaker(project, 'ada', { any: { say: said } }, { title: `Ada ${ESCAPES}`, emoji: '🦉\u202e' });
  addSpeaker(project, 'ben', { any: { stderr: `Error ${ESCAPES}`, exit: 4 } }, { title: `Ben ${ESCAPES}` });
  addSpeaker(project, 'coord', { any: { say: `Synthesis ${ESCAPES}` } });
  addAgent(project, 'ana', { title: ESCAPES, env: [], capabilities: [`c ${ESCAPES}`] }, `I am ${ESCAPES}`);
  project.write(
    'agents/eve.md',
    `---\nname: eve\ndescription: ${JSON.stringify(ESCAPES)}\nmodel: ${JSON.stringify(`m ${ESCAPES}`)}\ncouncil: ${JSON.stringify({ runner: 'command', command: [`/nowhere/${ESCAPES_IN_LINE}`, ESCAPES], [ESCAPES_IN_LINE]: 1, baseUrl: `http://${ESCAPES_IN_LINE}` })}\n---\n`,
  );
  const name = ESCAPES_IN_LINE.replaceAll('/', '');
  project.write(`agents/${name}.md`, Buffer.from([0xff]));
  project.write(`agents/broken ${name}.md`, `---\nname: [${ESCAPES}\n---\n`);
  project.write(`modes/${name}.md`, `---\nname: ${ESCAPES}\n---\n`);
  project.write(`conseils/${name}.md`, '---\nconversationId: [\n---\n');
  const day = 'memory/shared/channels/general/2026-01-11';
  project.write(`${day}/${POISONED}.json`, JSON.stringify(MESSAGE));
  project.write(
    `${day}/msg-20260111-163315-${name}-0001.json`,
    JSON.stringify({ ...MESSAGE, from: ESCAPES, to: ESCAPES }),
  );
  project.write(
    'memory/shared/presence/ana.json',
    JSON.stringify({ agent: ESCAPES, state: ESCAPES, channel: ESCAPES }),
  );
  project.write(`${day}/msg-20260111-163315-ben-0002.json`, `{"id": "${ESCAPES_IN_LINE}`);
  project.write('memory/logs/2026-01-11.ndjson', `${JSON.stringify(ENTRY)}\n{"cut ${ESCAPES_IN_LINE}\n`);
  project.write('COUNCIL.md', `---\n${JSON.stringify(ESCAPES_IN_LINE)}: 1\n---\nRules ${ESCAPES}\n`);
  return project;
}

/** An archive with escapes in every field that its reader takes as text. */
async function archived(project: Project): Promise<string> {
  await project.council([
    'start',
    `Topic ${ESCAPES_IN_LINE}`,
    '--agents',
    'ada,ben',
    '--coordinator',
    'coord',
    '--mode',
    'synthesis',
  ]);
  await project.council(['tick', '--until-idle']);
  await project.council(['cancel', '--why', `Why ${ESCAPES_IN_LINE}`]);
  const file = readdirSync(join(project.root, 'conseils')).find((one) => /^\d{4}-/.test(one))!;
  const path = join(project.root, 'conseils', file);
  const text = readFileSync(path, 'utf8');
  fs.writeFileSync(path, text.replace(/^mode: .*$/m, `mode: ${JSON.stringify(`synthesis ${ESCAPES}`)}`));
  expect(readFileSync(path, 'utf8')).not.toBe(text);
  return file.replace(/\.md$/, '');
}

/** One active council for every text in a state, with escapes in that one. */
async function poisonedStates(project: Project): Promise<number> {
  const started = await project.council([
    'start',
    'Seed',
    '--name',
    'seed',
    '--agents',
    'ada,ben,ana',
    '--coordinator',
    'coord',
    '--timeout',
    '1h',
  ]);
  expect(started.code, started.stderr).toBe(0);
  await project.council(['tick', '--name', 'seed']);
  const path = join(project.root, 'memory/shared/council-seed.md');
  const seed = parse(readFileSync(path, 'utf8'));
  rmSync(path);
  rmSync(join(project.root, 'memory/shared/.versions/seed'), { recursive: true });
  Object.assign(seed.state, {
    held: 'held',
    closing: { path: 'conseils/2026-01-01-x.md', at: seed.state.updatedAt, why: 'why' },
    absences: [
      {
        participant: 'ada',
        phase: 'COLLECT',
        tour: 1,
        at: seed.state.updatedAt,
        reason: 'failed: x',
        stderr: 'stderr',
      },
    ],
  });
  const paths = textsIn(seed.state).filter(
    ([first]) => !['name', 'conversationId', 'textSha256'].includes(first!),
  );
  let written = 0;
  paths.forEach((keys, index) => {
    const council = structuredClone(seed);
    Object.assign(council.state, { name: `p${index}`, conversationId: crypto.randomUUID() });
    const last = keys.at(-1)!;
    const holder = keys
      .slice(0, -1)
      .reduce<Record<string, unknown>>(
        (at, key) => at[key] as Record<string, unknown>,
        council.state as unknown as Record<string, unknown>,
      );
    holder[last] = `${String(holder[last])} ${ESCAPES}`;
    let text: string;
    try {
      text = serialize(council);
    } catch (error) {
      // An id that nobody has, or a word that is no phase: not even a page can be made of it.
      if (error instanceof CouncilError || error instanceof TypeError) return;
      throw error;
    }
    project.write(`memory/shared/council-p${index}.md`, text);
    written += 1;
  });
  return written;
}

function textsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

/** A message with escapes in whatever it has for texts. */
const POISONED = 'msg-20260111-163315-ada-0000';
const MESSAGE = {
  id: POISONED,
  timestamp: '2026-01-11T16:33:15.000Z',
  session_id: `s ${ESCAPES}`,
  from: 'ada',
  to: 'ana',
  type: `chat ${ESCAPES}`,
  content: { text: `@ben Text ${ESCAPES}`, code: ESCAPES, artifacts: [ESCAPES] },
  metadata: { mode: ESCAPES, turn: null, in_reply_to: ESCAPES },
};

const ENTRY = {
  timestamp: '2026-01-11T16:33:15.000Z',
  message_id: ESCAPES,
  direction: 'received',
  from: ESCAPES,
  to: ESCAPES,
  type: ESCAPES,
  status: 'failed',
  error: ESCAPES,
  event: 'refused',
  channel: ESCAPES,
  agent: ESCAPES,
};

/** How each command is called, at least once so that it succeeds and once so that it quotes its arguments. */
const calls = (archive: string): Record<string, string[][]> => ({
  // What it prints when it succeeds is council's own: demo.test.ts plays it.
  demo: [[`--${ESCAPES_IN_LINE}`], [ESCAPES_IN_LINE]],
  status: [[], ['--name', ESCAPES_IN_LINE], [`--${ESCAPES_IN_LINE}`]],
  view: [['ana', '--name', 'open'], [ESCAPES_IN_LINE]],
  read: [
    ['-', '--phase', 'COLLECT'],
    [ESCAPES_IN_LINE, '--as', ESCAPES_IN_LINE],
  ],
  history: [
    ['--name', 'open'],
    ['--name', ESCAPES_IN_LINE],
  ],
  wait: [
    ['--name', 'open', '--timeout', '1s'],
    ['--for', ESCAPES_IN_LINE],
  ],
  respond: [
    ['ana', '--name', 'open', '--text', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE],
    ['ana', '--file', ESCAPES_IN_LINE],
  ],
  extend: [['--name', 'open', '--by', '1h'], [ESCAPES_IN_LINE]],
  excuse: [['ben', '--name', 'open', '--why', ESCAPES_IN_LINE], [ESCAPES_IN_LINE]],
  tick: [
    ['--name', 'open', '--no-launch'],
    ['--name', ESCAPES_IN_LINE],
  ],
  reveal: [
    ['ana', '--name', 'open', '--file', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE, '--file', '-'],
  ],
  restore: [
    ['--name', 'open'],
    ['--name', 'open', ESCAPES_IN_LINE],
  ],
  adopt: [
    ['--name', 'open'],
    ['--name', ESCAPES_IN_LINE],
  ],
  list: [[], [ESCAPES_IN_LINE]],
  show: [[archive], [ESCAPES_IN_LINE]],
  archives: [['pull'], [ESCAPES_IN_LINE]],
  search: [['said'], [ESCAPES_IN_LINE], ['--limit', ESCAPES_IN_LINE, 'x']],
  cost: [[], [archive], [ESCAPES_IN_LINE]],
  export: [
    [archive],
    [archive, '--format', 'adr'],
    [archive, '--format', 'json'],
    [archive, '--format', ESCAPES_IN_LINE],
  ],
  ledger: [[archive], ['--name', 'open'], [ESCAPES_IN_LINE]],
  metrics: [[archive], ['--messages'], ['--messages', '--since', ESCAPES_IN_LINE], [ESCAPES_IN_LINE]],
  logs: [['ben', archive], ['ben', ESCAPES_IN_LINE], [ESCAPES_IN_LINE]],
  init: [['--no-detect'], ['--lang', ESCAPES_IN_LINE]],
  doctor: [[], [ESCAPES_IN_LINE]],
  trust: [['--list'], ['--yes'], [ESCAPES_IN_LINE]],
  agents: [
    [],
    ['show', 'eve'],
    ['show', 'ana'],
    ['check'],
    ['check', 'eve'],
    ['show', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE],
  ],
  modes: [[], ['debate'], [ESCAPES_IN_LINE]],
  install: [['--dry-run'], ['--every', ESCAPES_IN_LINE]],
  uninstall: [['--dry-run'], [ESCAPES_IN_LINE]],
  // It would not end by itself with another address.
  serve: [['--host', ESCAPES_IN_LINE]],
  // It would start a server.
  open: [[ESCAPES_IN_LINE]],
  invite: [['ana'], ['ana', '--revoke'], [ESCAPES_IN_LINE]],
  token: [[], ['create'], ['revoke', ESCAPES_IN_LINE], ['create', '--role', ESCAPES_IN_LINE]],
  store: [['migrate'], ['migrate', '--app-role', ESCAPES_IN_LINE], [ESCAPES_IN_LINE]],
  skill: [['print'], [ESCAPES_IN_LINE]],
  start: [
    ['Next', '--name', ESCAPES_IN_LINE],
    ['Next', '--agents', ESCAPES_IN_LINE],
    ['Next', '--mode', ESCAPES_IN_LINE],
    ['Next', '--brief', ESCAPES_IN_LINE],
  ],
  ask: [
    ['Topic', '--name', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE, '--agents', 'ben,eve', '--name', 'asked', '--trust'],
  ],
  continue: [['end', '--name', 'open'], [ESCAPES_IN_LINE], ['end', '--note', ESCAPES_IN_LINE]],
  rerun: [[ESCAPES_IN_LINE], [archive, '--agents', ESCAPES_IN_LINE]],
  outcome: [
    [archive, '--right', 'none', '--note', ESCAPES_IN_LINE],
    [archive, '--right', ESCAPES_IN_LINE],
  ],
  retry: [['ben', '--name', 'open'], [ESCAPES_IN_LINE]],
  review: [[ESCAPES_IN_LINE], [ESCAPES_IN_LINE, '--agents', 'ada,ben'], ['--since', ESCAPES_IN_LINE]],
  eval: [[ESCAPES_IN_LINE], ['--agents', ESCAPES_IN_LINE, '-']],
  run: [
    ['Topic', '--name', ESCAPES_IN_LINE],
    ['Topic', '--timeout', ESCAPES_IN_LINE],
  ],
  cancel: [
    ['--name', 'p0', '--why', ESCAPES_IN_LINE],
    ['--name', ESCAPES_IN_LINE],
  ],
  completion: [['bash'], ['zsh'], ['fish'], [ESCAPES_IN_LINE]],
  send: [
    ['ana', `Text ${ESCAPES_IN_LINE}`, '--code', ESCAPES_IN_LINE, '--artifact', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE, 'Text'],
    ['ana', 'Text', '--channel', ESCAPES_IN_LINE],
    ['ana', 'Text', '--reply-to', ESCAPES_IN_LINE],
  ],
  who: [[], [ESCAPES_IN_LINE]],
  log: [[], ['--format', 'json'], ['--format', 'line'], ['--since', ESCAPES_IN_LINE], [ESCAPES_IN_LINE]],
  inbox: [['ana'], ['ana', '--since', ESCAPES_IN_LINE], [ESCAPES_IN_LINE]],
  sent: [[], ['--from', 'ada', '--open'], ['--from', ESCAPES_IN_LINE]],
  ack: [
    [ESCAPES_IN_LINE, '--as', 'ana'],
    [POISONED, '--as', 'ana'],
    [POISONED, '--as', ESCAPES_IN_LINE],
  ],
  nack: [
    [POISONED, '--as', 'ben', '--reason', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE, '--as', 'ana', '--reason', 'x'],
  ],
  channel: [
    [],
    ['show', 'general'],
    ['show', ESCAPES_IN_LINE],
    ['create', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE],
  ],
  reserve: [
    ['src', '--as', 'ana', '--why', ESCAPES_IN_LINE],
    ['src/x', '--as', 'ben', '--why', ESCAPES_IN_LINE, '--ask'],
    [ESCAPES_IN_LINE, '--as', 'ana'],
    ['--check', '--as', ESCAPES_IN_LINE],
  ],
  task: [
    [],
    ['run', ESCAPES_IN_LINE, '--needs', ESCAPES_IN_LINE],
    ['run', ESCAPES_IN_LINE, '--explain'],
    ['list', '--all'],
    ['show', 'T1'],
    ['log', 'T1'],
    ['log', 'T1', '--format', 'line'],
    ['plan', ESCAPES_IN_LINE],
    ['answer', 'T1', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE],
  ],
  reservations: [[], [ESCAPES_IN_LINE]],
  audit: [[], ['verify'], ['list', '--task', ESCAPES_IN_LINE], [ESCAPES_IN_LINE]],
  approvals: [
    [],
    ['show', 'a1'],
    ['approve', 'a1', '--as', ESCAPES_IN_LINE],
    ['reject', 'a1', '--reason', ESCAPES_IN_LINE],
    ['show', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE],
  ],
  release: [
    [ESCAPES_IN_LINE, '--as', 'ana'],
    ['--as', 'ana'],
  ],
  protocol: [
    ['parse'],
    ['validate'],
    ['convert', '--to', 'v4'],
    ['explain'],
    ['parse', ESCAPES_IN_LINE],
    [ESCAPES_IN_LINE],
  ],
});
/** Those that go on until they are stopped have tests of their own below. */
const FORMS = ['text', 'json', 'colour'] as const;

const ENDLESS = ['watch', 'watch-channel', 'heartbeat', 'mcp'];

describe('what leaves a process', () => {
  it(
    'fault 18: no command lets an unprintable character out, in any form',
    { timeout: 600_000 },
    async () => {
      const project = await clonedProject();
      const archive = await archived(project);
      const poisoned = await poisonedStates(project);
      expect(poisoned).toBeGreaterThan(40);
      await project.council(
        [
          'start',
          `Open ${ESCAPES_IN_LINE}`,
          '--name',
          'open',
          '--agents',
          'ada,ben,ana',
          '--coordinator',
          'coord',
          '--brief',
          '-',
        ],
        { input: `Brief ${ESCAPES}` },
      );
      const table = calls(archive);
      expect([...Object.keys(table), ...ENDLESS].sort()).toEqual(specs.map(({ name }) => name).sort());
      const found: Record<string, string[]> = {};
      let [printed, coloured] = [0, 0];
      for (const [command, variants] of Object.entries(table))
        for (const [at, args] of variants.entries())
          // Every command in every form, the others of its calls in one of them.
          for (const form of at === 0 ? FORMS : [FORMS[at % FORMS.length]!]) {
            const { stdout, stderr } = await project.council(
              [command, ...(form === 'json' ? ['--json'] : []), ...args],
              { input: `said ${ESCAPES}`, env: form === 'colour' ? { FORCE_COLOR: '1' } : {} },
            );
            printed += stdout.length + stderr.length;
            if (stdout.includes('\u001b[')) coloured += 1;
            const seen = findUnprintable(stdout + stderr, { colours: form === 'colour' });
            if (FOREIGN.test(stdout + stderr)) seen.push('a foreign sequence');
            if (seen.length > 0) found[`${command} ${JSON.stringify(args)} ${form}`] = seen;
          }
      expect(found).toEqual({});
      // The walk is worth nothing where nothing is printed.
      expect(printed).toBeGreaterThan(100_000);
      expect(coloured).toBeGreaterThan(3);
      const status = (await project.council(['status'])).stdout;
      expect(status.match(/^p\d+: /gm)!.length).toBeGreaterThan(20);
    },
  );

  it('fault 18: --json is the same document as before', async () => {
    const project = await newProject();
    addAgent(project, 'ana', { title: 'Ana' });
    const topic = `Topic ${ESCAPES_IN_LINE}`;
    await project.council(['start', topic, '--agents', 'ana', '--brief', '-'], { input: `Brief ${ESCAPES}` });
    const { stdout, json } = await project.council<{ brief: string }>(['view', 'ana', '--json']);
    expect(json.brief).toBe(`Brief ${ESCAPES}`);
    expect(findUnprintable(stdout)).toEqual([]);
    expect(stdout).toContain(String.raw`\u009b31m \u202edcba`);
  });

  it('fault 18: watch and heartbeat print nothing else either', async () => {
    const project = await clonedProject();
    await poisonedStates(project);
    for (const command of ['watch', 'heartbeat']) {
      const running = project.launch([command]);
      await until(`${command} prints`, () => running.output().split('\n').length > 10);
      running.child.kill('SIGINT');
      const { stdout, stderr } = await running.ended;
      expect(findUnprintable(stdout + stderr)).toEqual([]);
    }
  });

  it('fault 18: an error that nobody catches is no way out either', async () => {
    const project = await newProject();
    addAgent(project, 'ana', { title: 'Ana' });
    await project.council(['start', 'Topic', '--agents', 'ana']);
    for (const thrown of ['throw new Error(text)', 'Promise.reject(new Error(text))']) {
      const code = `const text = ${JSON.stringify(ESCAPES)}; const look = setInterval(() => { if (process.listenerCount('uncaughtException') > 0) { clearInterval(look); ${thrown} } }, 5)`;
      const { code: exit, stderr } = await project.council(['watch'], {
        env: {
          NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(code).toString('base64')}`,
        },
      });
      expect(exit).toBe(1);
      expect(stderr).toContain('PWNED');
      expect(findUnprintable(stderr)).toEqual([]);
    }
  });

  it('fault 18: the tool server escapes what it sends', async () => {
    const project = await newProject();
    addAgent(project, 'ana', { title: 'Ana' });
    await project.council(['start', `Topic ${ESCAPES_IN_LINE}`, '--agents', 'ana', '--brief', '-'], {
      input: `Brief ${ESCAPES}`,
    });
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'view', arguments: { agent: 'ana' } } },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const { stdout } = await project.council(['mcp', '--tools', 'all'], {
      input: `${messages.join('\n')}\n`,
    });
    const answer = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: number; result: { content: { text: string }[] } })
      .find(({ id }) => id === 2)!;
    expect(answer.result.content[0]!.text).toContain('PWNED');
    expect(findUnprintable(stdout)).toEqual([]);
  });
});
