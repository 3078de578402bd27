import { describe, expect, it } from 'vitest';
import { checkAgents } from '../../../src/core/agents/check.ts';
import { agentRegistry } from '../../../src/core/agents/registry.ts';
import type { AgentFiles } from '../../../src/core/agents/registry.ts';
import { CouncilError } from '../../../src/core/base/errors.ts';

const file = (path: string, yaml = '', body = ''): { path: string; text: string } => ({
  path,
  text: `---\n${yaml}\n---\n${body}`,
});
const sources = (): AgentFiles[] => [
  {
    source: 'project',
    files: () => [file('agents/henry.md'), file('agents/broken.md', 'council: 5'), file('agents/sage.md')],
  },
  { source: 'claude', files: () => [file('.claude/agents/henry.md'), file('.claude/agents/zoe.md')] },
];
const refusal = (id: string, from = sources()): CouncilError => {
  try {
    agentRegistry(from).require(id);
  } catch (error) {
    if (error instanceof CouncilError) return error;
    throw error;
  }
  throw new Error('was found');
};

describe('agentRegistry', () => {
  it('lists agents in the order of the sources, the first one with an id', () => {
    const registry = agentRegistry(sources());
    expect(registry.list().map(({ id, source }) => `${id} ${source}`)).toEqual([
      'henry project',
      'sage project',
      'zoe claude',
    ]);
    expect(registry.find('henry')?.path).toBe('agents/henry.md');
    expect(registry.listShadowed()).toEqual([
      { id: 'henry', path: '.claude/agents/henry.md', by: 'agents/henry.md' },
    ]);
  });

  it('gives the launch timeout of the project to agents whose file gives none', () => {
    const files = () => [file('agents/zoe.md'), file('agents/max.md', 'council:\n  timeout: 9s')];
    const timeouts = (options?: { launchTimeout: number }) =>
      agentRegistry([{ source: 'project', files }], options)
        .list()
        .map(({ timeout }) => timeout);
    expect(timeouts({ launchTimeout: 1000 })).toEqual([1000, 9000]);
    expect(timeouts()).toEqual([300_000, 9000]);
  });

  it('keeps a broken file as a problem that hides nobody', () => {
    const registry = agentRegistry([
      { source: 'project', files: () => [file('a/sage.md', 'council: 5')] },
      ...sources(),
    ]);
    expect(registry.problems().map(({ path }) => path)).toEqual(['a/sage.md', 'agents/broken.md']);
    expect(registry.find('sage')?.path).toBe('agents/sage.md');
  });

  it('goes by the file that is named like the id, and tells of its copies', () => {
    const copies = ['a/ada (conflicted copy).md', 'a/ada-old.md'];
    const from = (text: string) =>
      agentRegistry([
        {
          source: 'project',
          files: () => [
            file(copies[0]!, 'name: ada', 'copy'),
            file(copies[1]!, 'name: ada'),
            file('a/ada.md', text),
          ],
        },
      ]);
    const registry = from('name: ada');
    expect(registry.list().map(({ path }) => path)).toEqual(['a/ada.md']);
    expect(registry.copies()).toEqual(copies.map((path) => ({ path, of: 'a/ada.md' })));
    // Where it cannot be read, no copy takes its place.
    expect(from('council: 5').find('ada')).toBeUndefined();
    expect(from('council: 5').problems()).toHaveLength(1);
  });

  it('reads the files at the first question, and once', () => {
    let reads = 0;
    const registry = agentRegistry([{ source: 'user', files: () => (reads++, [file('x.md')]) }]);
    expect(reads).toBe(0);
    registry.list();
    registry.problems();
    registry.find('x');
    expect(reads).toBe(1);
  });

  it('reads no source behind the one that has an agent, and council’s own last', () => {
    const read: string[] = [];
    const from = (source: AgentFiles['source'], ...ids: string[]): AgentFiles => ({
      source,
      files: () => (read.push(source), ids.map((id) => file(`${source}/${id}.md`))),
    });
    const registry = agentRegistry([
      from('project', 'henry'),
      from('user', 'sage'),
      from('built-in', 'structure', 'henry'),
    ]);
    expect(registry.find('henry')?.source).toBe('project');
    expect(read).toEqual(['project']);
    expect(registry.listOwn().map(({ id }) => id)).toEqual(['henry', 'sage']);
    expect(read).toEqual(['project', 'user']);
    expect(registry.find('structure')?.source).toBe('built-in');
    expect(registry.listOwn()).toHaveLength(2);
    expect(registry.list()).toHaveLength(3);
    expect(() => registry.require('nobody')).toThrow(
      expect.objectContaining({ hint: 'Known agents: henry, sage.' }) as Error,
    );
    expect(registry.listShadowed()).toHaveLength(1);
    expect(read).toEqual(['project', 'user', 'built-in']);
  });

  it('passes on what reading throws', () => {
    const files = (): never => {
      throw new Error('EACCES');
    };
    expect(() => agentRegistry([{ source: 'user', files }]).list()).toThrow('EACCES');
  });

  it('refuses an unknown id with the nearest one and all valid ones', () => {
    const error = refusal('henri');
    expect(error.code).toBe('unknown_agent');
    expect(error.message).toContain('"henri"');
    expect(error.hint).toBe('Did you mean henry? Known agents: henry, sage, zoe.');
    expect(refusal('xylophone').hint).toBe('Known agents: henry, sage, zoe.');
    expect(refusal('__proto__').code).toBe('unknown_agent');
    expect(refusal('x'.repeat(5000)).message.length).toBeLessThan(120);
  });

  it('says so when the file of the id is broken, or when there is nobody', () => {
    expect(refusal('broken').hint).toContain('agents/broken.md: "council" must be a mapping');
    expect(refusal('henry', []).hint).toContain('council agents add');
  });
});

describe('checkAgents', () => {
  const registry = (): ReturnType<typeof agentRegistry> =>
    agentRegistry([
      {
        source: 'project',
        files: () => [
          file('agents/good.md', 'council: { command: [node], env: [SET] }'),
          file('agents/lost.md', 'council: { command: [nowhere], timout: 5s }'),
          file('agents/path.md', 'council: { command: [./gone.sh] }'),
          file('agents/poor.md', 'council: { command: [node], env: [SET, UNSET, EMPTY] }'),
          file('agents/person.md'),
          file('agents/bad.md', 'council: 5'),
        ],
      },
      { source: 'claude', files: () => [file('.claude/agents/good.md')] },
    ]);
  const ports = {
    env: { SET: '1', EMPTY: '' },
    findCommand: (program: string) => (program === 'node' ? '/usr/bin/node' : undefined),
  };

  it('reports programs, variables, hidden files, unknown keys and broken files', () => {
    const report = checkAgents(registry(), ports);
    expect(report.ok).toBe(false);
    expect(report.problems.map(({ path }) => path)).toEqual(['agents/bad.md']);
    const found = Object.fromEntries(
      report.agents.map(({ id, ok, findings }) => [id, { ok, said: findings.map(({ message }) => message) }]),
    );
    expect(found).toEqual({
      good: { ok: true, said: ['.claude/agents/good.md has the same id and is not used.'] },
      lost: {
        ok: false,
        said: [
          'The program "nowhere" cannot be launched: it is not on PATH. Change "command" in its file (council agents show lost)',
          'Unknown under "council", ignored: timout.',
        ],
      },
      path: {
        ok: false,
        said: [
          'The program "./gone.sh" cannot be launched: there is no such program, or it may not be executed. Change "command" in its file (council agents show path)',
        ],
      },
      poor: { ok: true, said: ['Declared under "env", but unset here: UNSET, EMPTY.'] },
      person: { ok: true, said: [] },
    });
  });

  it('reports what keeps an acp agent from being launched and a model from being asked', () => {
    const files = [
      file('agents/gone.md', 'council: { runner: acp, command: [nowhere] }'),
      file('agents/none.md', 'council: { runner: model }'),
      file('agents/odd.md', 'model: nobody/x\ncouncil: { runner: model }'),
      file('agents/keyless.md', 'model: mistral/x\ncouncil: { runner: model }'),
      file('agents/local.md', 'model: ollama/llama3.2\ncouncil: { runner: model }'),
      file('agents/keyed.md', 'model: openai/x\ncouncil: { runner: model, apiKey: SET }'),
    ];
    const { agents } = checkAgents(agentRegistry([{ source: 'project', files: () => files }]), ports);
    const known =
      '"model" must be PROVIDER/NAME with one of the providers anthropic, google, mistral, openai, ollama, lmstudio, llama-cpp, vllm, openai-compatible';
    const found = agents.map(({ id, findings }) => [id, ...findings.flatMap((f) => [f.level, f.message])]);
    expect(found).toEqual([
      [
        'gone',
        'error',
        'The program "nowhere" cannot be launched: it is not on PATH. Change "command" in its file (council agents show gone)',
      ],
      ['none', 'error', `The model cannot be asked: ${known}, but is missing.`],
      ['odd', 'error', `The model cannot be asked: ${known}, but is "nobody/x".`],
      [
        'keyless',
        'warning',
        'The model cannot be asked: there is no key: the variable MISTRAL_API_KEY is not set.',
      ],
      ['local'],
      ['keyed'],
    ]);
  });

  it('names what to install for a preset, and what ollama lacks', () => {
    const agents = agentRegistry([
      {
        source: 'project',
        files: () => [
          file('agents/ada.md', 'council: { runner: codex }'),
          file('agents/ben.md', 'council: { runner: claude, command: [node] }'),
          file('agents/cleo.md', 'council: { runner: ollama, command: [node] }'),
          file('agents/dora.md', 'council: { runner: gemini, command: [./gone] }'),
        ],
      },
    ]);
    const said = checkAgents(agents, ports).agents.map(({ id, findings }) => [
      id,
      ...findings.map(({ level, message }) => `${level}: ${message}`),
    ]);
    expect(said).toEqual([
      [
        'ada',
        'error: The program "codex" cannot be launched: it is not on PATH. Install it: npm install -g @openai/codex',
      ],
      ['ben'],
      ['cleo', 'error: ollama needs a model: add a line such as "model: llama3.2".'],
      [
        'dora',
        'error: The program "./gone" cannot be launched: there is no such program, or it may not be executed. Change "command" in its file (council agents show dora)',
      ],
    ]);
  });

  it('limits itself to the ids asked for, and refuses unknown ones', () => {
    expect(checkAgents(registry(), ports, ['good', 'person'])).toMatchObject({
      ok: true,
      problems: [],
      agents: [{ id: 'good' }, { id: 'person' }],
    });
    expect(() => checkAgents(registry(), ports, ['nobody'])).toThrow(
      expect.objectContaining({ code: 'unknown_agent' }),
    );
  });
});
