import fs from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { CLI } from '../helpers/cli.ts';
import type { Asked, Reply } from '../helpers/fake-model.ts';
import { addAgent } from '../helpers/speakers.ts';
import { KINDS } from './install.ts';
import type { Kind } from './install.ts';
import { expectNobodyLeft, newLab } from './lab.ts';
import type { Lab } from './lab.ts';

const SERVER = [process.execPath, CLI, 'mcp'];
const QUESTION = 'Where should the queue live?';
const PROMPT = `Ask the council: ${QUESTION}`;
const TOOLS = ['ask', 'verdict'];
const SLOW_SEAT_SECONDS = 80;

/** How each program is told of council's tools and runs one prompt, as docs/server/mcp.md says; what the documentation leaves to the program stays so. */
const CONVENE: Record<Kind, (lab: Lab) => string[]> = {
  claude() {
    const [command, ...args] = SERVER;
    const servers = JSON.stringify({ mcpServers: { council: { command, args, alwaysLoad: true } } });
    const allowed = TOOLS.map((tool) => `mcp__council__${tool}`).join(',');
    return ['claude', '-p', PROMPT, '--mcp-config', servers, '--allowed-tools', allowed];
  },
  codex({ project }) {
    const [command, ...args] = SERVER;
    const lines = [
      '[mcp_servers.council]',
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
      // Else the first turn goes without the tools of a server that needs more than a second to start.
      'required = true',
      'env_vars = ["XDG_CONFIG_HOME"]',
      'default_tools_approval_mode = "approve"',
    ];
    fs.appendFileSync(join(project.env.CODEX_HOME!, 'config.toml'), `\n${lines.join('\n')}\n`);
    return ['codex', 'exec', '--skip-git-repo-check', PROMPT];
  },
  gemini({ project }) {
    const [command, ...args] = SERVER;
    extendJson(join(project.env.HOME!, '.gemini/settings.json'), {
      mcpServers: { council: { command, args, trust: true } },
    });
    return ['gemini', '--skip-trust', '-p', PROMPT];
  },
  opencode({ project }) {
    extendJson(project.env.OPENCODE_CONFIG!, {
      mcp: { council: { type: 'local', command: SERVER, enabled: true } },
    });
    return ['opencode', 'run', PROMPT];
  },
};

function extendJson(path: string, more: object): void {
  const settings = JSON.parse(fs.readFileSync(path, 'utf8')) as object;
  fs.writeFileSync(path, JSON.stringify({ ...settings, ...more }));
}

/** A model that asks the council, calls verdict as long as it still deliberates, and reports; and the tools that it has called. */
function createConvener() {
  const calls: string[] = [];
  const answer = (asked: Asked): Reply => {
    const find = (name: string): string | undefined =>
      asked.tools.find((tool) => new RegExp(`council.*${name}$`).test(tool));
    const ask = find('ask');
    // Programs ask for titles and the like as well.
    if (asked.schema) return {};
    if (ask === undefined || !asked.raw.includes(PROMPT)) return { text: 'A title' };
    const told = asked.raw.match(/Still deliberating: call verdict/g) ?? [];
    if (told.length < calls.length)
      return { text: `The council says: ${/Decided \(.*?\): P\d/.exec(asked.raw)?.[0]}` };
    const name = asked.toolResult ? find('verdict')! : ask;
    calls.push(name);
    return { tool: { name, input: asked.toolResult ? {} : { question: QUESTION, seats: 'ada,ben' } } };
  };
  return { answer, calls };
}

/** Two who say 60 KB each, one of them slowly. */
function seatTwo({ project }: Lab): void {
  for (const [id, seconds] of [
    ['ada', SLOW_SEAT_SECONDS],
    ['ben', 0],
  ] as const) {
    const points = Array.from(
      { length: 700 },
      (_, at) => `${id} says in point ${at} that the database has row locks.`,
    );
    const path = join(project.outside, `${id}.md`);
    fs.writeFileSync(path, `---\nposition: In the database\n---\n\n${points.join('\n\n')}\n`);
    addAgent(project, id, {
      runner: 'command',
      command: ['/bin/sh', '-c', `cat > /dev/null; sleep ${seconds}; cat "${path}"`],
    });
  }
}

describe('a council that is convened through the tools, with a seat of 80 s and an archive of 100 KB', () => {
  it.for(KINDS)('by %s, which has the decision in at most three calls', async (kind, context) => {
    const convener = createConvener();
    const lab = await newLab(context, [kind], convener.answer);
    seatTwo(lab);
    const { project } = lab;
    const [program = '', ...args] = CONVENE[kind](lab);
    const ran = await execa(program, args, {
      cwd: project.root,
      env: project.env,
      extendEnv: false,
      preferLocal: false,
      stdin: 'ignore',
      reject: false,
      timeout: 240_000,
    });
    expect({ stdout: ran.stdout, stderr: ran.stderr }).toMatchObject({
      stdout: expect.stringContaining('The council says: Decided (blind-first): P1') as string,
    });
    expect(convener.calls.length).toBeLessThanOrEqual(3);
    const [archive] = project.archives();
    expect(project.read(archive!).length).toBeGreaterThan(100_000);
    // Each call that came back was followed by the request that has its result.
    expect(lab.model.asked().some(({ toolResult }) => toolResult)).toBe(true);
    await expectNobodyLeft(lab);
  });
});
