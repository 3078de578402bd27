import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/core/agents/agent.ts';
import type { AgentSource } from '../../../src/core/agents/agent.ts';
import {
  findTrustProblem,
  notifyRunnable,
  buildAgentRunnable,
} from '../../../src/core/agents/runnable-trust.ts';

const agent = (council: Record<string, unknown>, more = '', source: AgentSource = 'project') =>
  parseAgent(
    `---\nname: ada\n${more}council: ${JSON.stringify(council)}\n---\nAda.\n`,
    'agents/ada.md',
    source,
  );
const hash = (council: Record<string, unknown>, more = ''): string =>
  buildAgentRunnable(agent(council, more))!.sha256;

describe('what would run', () => {
  it('fault 15: has another hash whenever anything that decides what is run is another', () => {
    const command = { command: ['node', 'a.mjs'] };
    const acp = { runner: 'acp', command: ['x'] };
    const model = { runner: 'model' };
    const variants = [
      hash(command),
      hash({ command: ['node', 'b.mjs'] }),
      hash({ command: ['node a.mjs'] }),
      hash({ ...command, env: ['TOKEN'] }),
      hash({ runner: 'claude' }),
      hash({ runner: 'codex' }),
      hash({ runner: 'claude', command: ['./claude'] }),
      hash({ runner: 'claude', args: ['--dangerous'] }),
      hash({ runner: 'claude' }, 'model: opus\n'),
      hash(acp),
      hash({ ...acp, permissions: 'allow' }),
      hash(model, 'model: openai/x\n'),
      hash({ ...model, baseUrl: 'http://127.0.0.1:1/v1' }, 'model: openai/x\n'),
      hash({ ...model, apiKey: 'OTHER_KEY' }, 'model: openai/x\n'),
      notifyRunnable(['node', 'a.mjs']).sha256,
      notifyRunnable(['node', 'b.mjs']).sha256,
    ];
    expect(new Set(variants).size).toBe(variants.length);
    // What only says how somebody looks, or how long it may take, asks nobody again.
    expect(hash({ ...command, title: 'Ada', timeout: '5s', maxOutput: 10 }, 'description: new\n')).toBe(
      variants[0],
    );
  });

  it("fault 15: is nothing for a person, and needs no word for what is council's own", () => {
    expect(buildAgentRunnable(agent({}))).toBeUndefined();
    const unknown = { project: false, sha256: undefined };
    const known = { project: true, sha256: undefined };
    const of = (source: AgentSource) => buildAgentRunnable(agent({ command: ['x'] }, '', source))!;
    expect(findTrustProblem(of('built-in'), unknown)).toBeUndefined();
    expect(findTrustProblem(of('user'), unknown)).toBe('new');
    expect(findTrustProblem(of('user'), known)).toBeUndefined();
    for (const source of ['project', 'claude', 'opencode'] as const) {
      expect(findTrustProblem(of(source), known)).toBe('new');
      expect(findTrustProblem(of(source), { ...known, sha256: 'other' })).toBe('changed');
      expect(findTrustProblem(of(source), { ...known, sha256: of(source).sha256 })).toBeUndefined();
    }
  });

  it('fault 15: is shown so that no argument hides another, and no character hides at all', () => {
    const { runs } = buildAgentRunnable(agent({ command: ['sh', '-c', 'a b\n\u202E\u200B\u001B[2Kc'] }))!;
    expect(runs).toBe(String.raw`sh -c "a b\n\u{202e}\u{200b}\u001b[2Kc"`);
    const shown = (council: Record<string, unknown>, more = '') => buildAgentRunnable(agent(council, more))!;
    expect(shown({ runner: 'claude', command: ['./evil'], env: ['A', 'B'] })).toMatchObject({
      runs: './evil (in place of claude, with its keys)',
      env: ['A', 'B'],
    });
    expect(shown({ runner: 'acp', command: ['x', 'acp'], permissions: 'allow' }).runs).toBe(
      'x acp (may do whatever it asks for)',
    );
    expect(
      shown(
        { runner: 'model', baseUrl: 'http://evil.example/v1', apiKey: 'OPENAI_API_KEY' },
        'model: openai/x\n',
      ),
    ).toMatchObject({ runs: 'asks the model openai/x at http://evil.example/v1', env: ['OPENAI_API_KEY'] });
  });
});
