import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import { CLI } from '../helpers/cli.ts';
import type { Responded, Ticked } from '../helpers/documents.ts';
import { stateOf } from '../helpers/look.ts';
import { addAgent } from '../helpers/speakers.ts';
import { acp, preset, seatAll } from './debate.ts';
import { KINDS } from './install.ts';
import type { Kind } from './install.ts';
import { expectNobodyLeft, newLab } from './lab.ts';
import type { Lab } from './lab.ts';
import { script } from './speech.ts';
import type { Script } from './speech.ts';

const SERVER = [process.execPath, CLI, 'mcp', '--tools', 'all'];
/** The variables of a turn, for programs that hand on only what is named. */
const TURN = ['ROOT', 'NAME', 'PARTICIPANT', 'TOUR', 'TOKEN', 'TURN'].map((name) => `COUNCIL_${name}`);

/** Makes council's server known to a program whose preset allows no tools, and allows it that one: the keys of the agent. */
const KNOWN: Record<Kind, (lab: Lab) => Record<string, unknown>> = {
  claude() {
    const [command, ...args] = SERVER;
    const servers = { mcpServers: { council: { command, args } } };
    return {
      ...preset('claude'),
      args: ['--mcp-config', JSON.stringify(servers), '--allowed-tools', 'mcp__council__respond'],
    };
  },
  codex() {
    const [command, ...args] = SERVER.map((part) => JSON.stringify(part));
    const settings = [
      `command=${command}`,
      `args=[${args.join(', ')}]`,
      `env_vars=${JSON.stringify(TURN)}`,
      // It would begin its turn without a server that is not ready yet.
      'required=true',
      // Nobody is there to be asked.
      'default_tools_approval_mode="approve"',
    ];
    return { ...preset('codex'), args: settings.flatMap((one) => ['-c', `mcp_servers.council.${one}`]) };
  },
  gemini(lab) {
    const [command, ...args] = SERVER;
    const council = { command, args, env: { COUNCIL_TOKEN: '$COUNCIL_TOKEN' } };
    change(join(lab.project.env.HOME!, '.gemini/settings.json'), { mcpServers: { council } });
    return {
      ...preset('gemini'),
      args: ['--allowed-mcp-server-names', 'council', '--policy', policyFor(lab)],
    };
  },
  opencode({ project }) {
    change(project.env.OPENCODE_CONFIG!, {
      mcp: { council: { type: 'local', command: SERVER, enabled: true } },
      // The preset's own agent: what stands last holds.
      agent: { council: { permission: { '*': 'deny', council_respond: 'allow' } } },
    });
    return preset('opencode');
  },
};

/** Gemini asks about every tool that its policy does not allow, and in plan mode it is told no. */
function policyFor({ project }: Lab): string {
  const path = join(project.outside, 'council.toml');
  const rule = ['mcpName = "council"', 'toolName = "respond"', 'decision = "allow"', 'priority = 900'];
  fs.writeFileSync(path, `[[rule]]\n${rule.join('\n')}\n`);
  return path;
}

function change(path: string, more: object): void {
  const settings = JSON.parse(fs.readFileSync(path, 'utf8')) as object;
  fs.writeFileSync(path, JSON.stringify({ ...settings, ...more }));
}

interface History {
  versions: { action: string; by: string | null; actor: string }[];
}

/** A model that answers through the tool where there is one, and then says something that is no contribution. */
function throughTheTool(said: Script): Script['answer'] {
  return (asked) => {
    const tool = asked.tools.find((name) => /council.*respond$/.test(name));
    const reply = said.answer(asked);
    const { text } = reply;
    if (text === undefined || said.turnOf(asked) === null) return reply;
    if (asked.toolResult) return { text: 'I have responded through the tool.' };
    return tool === undefined ? { text: 'There is no tool.' } : { tool: { name: tool, input: { text } } };
  };
}

/** One blind turn of one program beside a person, so that the phase stays open. */
async function expectThroughTheTool(context: TestContext, kind: Kind, keysFor = KNOWN[kind]): Promise<void> {
  const said = script(['ada']);
  const lab = await newLab(context, [kind], throughTheTool(said));
  const { project, model } = lab;
  seatAll(lab, said, { ada: keysFor(lab) });
  addAgent(project, 'ana');
  // With tokens: the tool works only if the program hands the token of its own seat on.
  const started = await project.council<{ tokens: Record<string, string> }>([
    ...['start', 'Where should the queue live?', '--agents', 'ada,ana', '--identity', 'token', '--json'],
  ]);
  const tick = await project.council<Ticked>(['tick', '--json']);
  expect({ stderr: tick.stderr, asked: model.asked().map(({ tools }) => tools.length) }).toMatchObject({
    stderr: expect.not.stringContaining('failed'),
  });
  expect(tick.json.councils[0]).toMatchObject({ launched: ['ada'], failed: [] });
  expect((await stateOf(project)).participants.ada).toMatchObject({
    status: 'RESPONDED',
    attempts: 1,
    absent: null,
    lease: null,
  });
  const history = await project.council<History>(['history', '--json']);
  const recorded = history.json.versions.filter(({ action, by }) => /respon/.test(action) && by === 'ada');
  expect(recorded).toHaveLength(1);
  expect(recorded[0]!.actor).toMatch(/\bvia mcp\b/);

  await project.council<Responded>(['respond', 'ana', '--json'], {
    input: 'Read.',
    env: { COUNCIL_TOKEN: started.json.tokens.ana },
  });
  await project.council(['tick', '--no-launch']);
  const page = project.read('memory/shared/council-active-conversation.md').toString();
  expect(page).toContain(said.said.get('ada COLLECT'));
  expect(page).not.toContain('I have responded through the tool.');
  await expectNobodyLeft(lab);
}

describe("council's respond, called", () => {
  it.for(KINDS)('by %s', async (kind, context) => {
    await expectThroughTheTool(context, kind);
  });

  // Whoever asks council for a permission is refused by default: opencode does not ask, gemini is told by its policy.
  it('by opencode over ACP, which council tells of its server', async (context) => {
    await expectThroughTheTool(context, 'opencode', () => acp('opencode', 'opencode', 'acp'));
  });

  it('by gemini over ACP, which council tells of its server', async (context) => {
    await expectThroughTheTool(context, 'gemini', (lab) =>
      acp('gemini', ...['gemini', '--acp', '--skip-trust'], ...['--policy', policyFor(lab)]),
    );
  });

  it('by gemini over ACP, when council itself permits it', async (context) => {
    await expectThroughTheTool(context, 'gemini', () => ({
      ...acp('gemini', 'gemini', '--acp', '--skip-trust'),
      permissions: 'allow',
    }));
  });
});
