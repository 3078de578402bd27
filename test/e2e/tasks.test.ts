import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { Scripted, ScriptedWorker } from '../helpers/scripted-workers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

interface Shown {
  task: {
    id: string;
    state: string;
    worker: string | null;
    result: string | null;
    error: { code: string; text: string } | null;
    attempts: number;
    after: string[];
    needs: string[];
    question: { text: string; options: string[] } | null;
  };
}

const one = (say: string): ScriptedWorker => ({ steps: [{ say }] });
const able = (caps: string, ...steps: ScriptedWorker['steps']): ScriptedWorker => ({
  steps,
  council: `capabilities: [${caps}]`,
});
const run = ({ council }: Scripted, ...args: string[]) => council<Shown>(['task', 'run', ...args, '--json']);

/** Commands take their time on a machine that has other things to do. */
const poll = <T>(look: () => T | Promise<T>) => expect.poll(look, { interval: 50 });

const fileOf = (project: Scripted, path: string): string => {
  try {
    return project.read(path).toString();
  } catch {
    return '';
  }
};

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a task', () => {
  it('plays the example of a standard flow line for line', async () => {
    const lines = [
      'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|call=web_search;query=latest AI news 2024',
      'M2|W1>O1|U|T1|P1|R|-|0|S1|B450|progress=50%;found=12 articles',
      'M3|W1>O1|S|T1|P1|D|-|0|S1|B200|results=5;top1=OpenAI GPT-5;top2=Claude 4;src=#REF:T1:raw',
    ];
    const project = await withWorkers({ ada: able('web_search', { say: lines.slice(1).join('\n') }) });
    const { json, code } = await run(project, 'call=web_search;query=latest AI news 2024', '--budget', '500');
    expect(code).toBe(0);
    expect(json.task).toMatchObject({
      id: 'T1',
      state: 'D',
      worker: 'ada',
      attempts: 1,
      after: [],
      error: null,
    });
    expect(json.task.result).toBe('results=5;top1=OpenAI GPT-5;top2=Claude 4;src=#REF:T1:raw');
    expect(await project.exchange('T1')).toEqual(lines);
    const [prompt = ''] = project.prompts('ada');
    expect(prompt.split('\n')).toContain(lines[0]);
    expect(prompt.trimEnd().endsWith('call=web_search;query=latest AI news 2024')).toBe(true);
  });

  long('plays the example of a handoff line for line', async () => {
    const lines = [
      'M1|O1>W1|R|T1|P1|N|-|0|S1|B1000|call=analyze_code;file=main.py',
      'M2|W1>W2|X|T1|P1|R|-|1|S1|B500|call=generate_tests;src=#REF:T1:code;reason=specialized',
      'M3|W1>O1|U|T1|P1|R|-|0|S1|B500|handoff=W2;subtask=generate_tests',
      'M4|W2>W1|S|T1|P1|D|-|1|S1|B300|tests=3;coverage=85%',
      'M5|W1>O1|S|T1|P1|D|-|0|S1|B200|analysis=done;tests=3;coverage=85%;quality=good',
    ];
    const project = await withWorkers({
      ada: able('analyze_code', { say: `${lines[1]}\n${lines[2]}` }, { say: lines[4] ?? '' }),
      bob: able('generate_tests', { say: lines[3] ?? '' }),
    });
    const { json } = await run(project, 'call=analyze_code;file=main.py', '--budget', '1000');
    expect(json.task).toMatchObject({ state: 'D', worker: 'ada', attempts: 2 });
    expect(await project.exchange('T1')).toEqual(lines);
    expect(project.prompts('bob')[0]?.split('\n')).toContain(lines[1]);
    expect(project.prompts('ada')[1]?.split('\n')).toContain(lines[3]);
  });

  long('plays the example of a choice for the person line for line', async () => {
    const choice =
      'question=Quel format de rapport?;opt1=résumé court;opt2=rapport détaillé;opt3=données brutes';
    const lines = [
      `M1|O1>User|D|T1|P1|R|-|0|S1|-|${choice}`,
      'M2|User>O1|C|T1|P1|R|-|0|S1|-|choice=opt2',
      'M3|O1>W1|R|T1|P1|R|-|0|S1|B1000|call=generate_report;format=detailed',
    ];
    const project = await withWorkers({
      boss: {
        steps: [{ say: lines[0] ?? '' }, { say: lines[2] ?? '' }, { say: 'Voilà le rapport.' }],
        council: 'role: orchestrator',
      },
      ada: able('generate_report', { say: 'Le rapport, en détail.' }),
    });
    const running = project.launch([
      'task',
      'run',
      'Un rapport',
      '--to',
      'boss',
      '--budget',
      '1000',
      '--json',
    ]);
    await poll(
      async () => (await project.council<Shown>(['task', 'show', 'T1', '--json'])).json?.task?.question,
    ).toMatchObject({
      text: 'Quel format de rapport?',
      options: ['résumé court', 'rapport détaillé', 'données brutes'],
    });
    expect((await project.council(['inbox', 'human'])).stdout).toContain('2. rapport détaillé');
    expect((await project.council(['task', 'answer', 'T1', 'opt2'])).code).toBe(0);
    expect((await running.ended).code).toBe(0);
    const exchange = await project.exchange('T1');
    expect(exchange.slice(0, 3)).toEqual(lines);
    expect(exchange.slice(3)).toEqual([
      'M4|W1>O1|S|T1|P1|D|-|0|S1|B1000|Le rapport, en détail.',
      'M5|O1>User|S|T1|P1|D|-|0|S1|B1000|Voilà le rapport.',
    ]);
  });

  long('asks back twice and no more', async () => {
    const ask = (n: number): string =>
      `M${n}|W1>O1|C|T1|P1|R|-|0|S1|-|question=format sortie?;options=json,txt`;
    const project = await withWorkers({
      ada: { steps: [{ say: ask(2) }, { say: ask(4) }, { say: ask(6) }] },
    });
    const running = project.launch(['task', 'run', 'liste', '--json']);
    for (const answer of ['json', '2']) {
      const before = project.prompts('ada').length;
      await poll(async () => (await project.council(['task', 'answer', 'T1', answer])).code).toBe(0);
      await poll(() => project.prompts('ada').length).toBeGreaterThan(before);
    }
    const ended = await running.ended;
    expect(ended.code).toBe(1);
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|liste',
      ask(2),
      'M3|O1>W1|C|T1|P1|R|-|0|S1|-|answer=json',
      ask(4),
      'M5|O1>W1|C|T1|P1|R|-|0|S1|-|answer=txt',
      ask(6),
      'M7|O1>W1|E|T1|P1|F|E18|0|S1|-|desc=max_clarify',
    ]);
  });

  long('is tried again after a timeout, and done then', async () => {
    const project = await withWorkers({ ada: { steps: [{ stay: true }, { say: 'fertig' }] } });
    const { json } = await run(project, 'etwas', '--timeout', '700ms');
    expect(json.task).toMatchObject({ state: 'D', result: 'fertig', attempts: 2 });
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|etwas',
      expect.stringMatching(/^M2\|O1>W1\|E\|T1\|P1\|R\|E20\|0\|S1\|-\|desc=/),
      'M3|O1>W1|R|T1|P1|N|-|0|S1|-|etwas;retry=1;max=2',
      'M4|W1>O1|S|T1|P1|D|-|0|S1|-|fertig;pid=M3',
    ]);
  });

  long(
    'ends with 124 when every attempt ran out of time, and with silence as a reason of its own',
    async () => {
      const project = await withWorkers({ ada: { steps: [{ stay: true }], council: 'inactivity: 300ms' } });
      const { json, code } = await run(project, 'x');
      expect(code).toBe(124);
      expect(json.task).toMatchObject({ state: 'F', error: { code: 'E22' }, attempts: 3 });
    },
  );

  long('goes to another worker when one is busy', async () => {
    const project = await withWorkers({
      ada: able('web_search', { say: 'M2|W1>O1|E|T1|P1|F|E31|0|S1|B200|desc=BUSY;queue=5' }),
      bob: able('web_search', { say: 'results=1' }),
    });
    const { json } = await run(project, 'call=web_search', '--budget', '200');
    expect(json.task).toMatchObject({ state: 'D', worker: 'bob' });
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|B200|call=web_search',
      'M2|W1>O1|E|T1|P1|F|E31|0|S1|B200|desc=BUSY;queue=5',
      'M3|O1>W2|R|T1|P1|N|-|0|S1|B200|call=web_search;fallback_from=W1;reason=E31',
      'M4|W2>O1|S|T1|P1|D|-|0|S1|B200|results=1',
    ]);
  });

  long('goes to another worker when a program is missing', async () => {
    const project = await withWorkers({ bob: one('da') });
    project.write('agents/ada.md', '---\nname: ada\ncouncil:\n  command: [no-such-program-here]\n---\n');
    const { json } = await run(project, 'x');
    expect(json.task).toMatchObject({ state: 'D', worker: 'bob' });
    expect((await project.exchange('T1'))[1]).toMatch(/^M2\|O1>W1\|E\|T1\|P1\|R\|E30\|0\|S1\|-\|desc=/);
  });

  long('is not tried again after an error of its own, and is never launched beyond its budget', async () => {
    const missing = 'M2|W1>O1|E|T1|P1|F|E33|0|S1|B50|desc=file not found;path=/data/input.json';
    const project = await withWorkers({ ada: one(missing) });
    const failed = await run(project, 'lies die Datei', '--budget', '50');
    expect(failed.code).toBe(1);
    expect(failed.json.task).toMatchObject({
      state: 'F',
      error: { code: 'E33', text: 'file not found' },
      attempts: 1,
    });
    expect((await project.exchange('T1'))[1]).toBe(missing);

    const refused = await run(project, 'x'.repeat(100), '--budget', '20');
    expect(refused.json.task).toMatchObject({ state: 'F', error: { code: 'E17' }, attempts: 0 });
    expect(await project.exchange('T2')).toEqual([
      'M1|O1>User|E|T2|P1|F|E17|0|S2|-|desc=budget insufficient;needed=25;have=20',
    ]);
    expect(project.prompts('ada')).toHaveLength(1);
  });

  long('is not handed on too often, to nobody, or to who is not there', async () => {
    const deep = 'M2|W1>W2|X|T1|P1|R|-|2|S1|-|call=dig;reason=deeper';
    const project = await withWorkers({
      ada: { steps: [{ say: deep }], council: 'max_depth: 1' },
      bob: one('x'),
    });
    const { json } = await run(project, 'dig', '--to', 'ada');
    expect(json.task).toMatchObject({ state: 'F', error: { code: 'E16' } });
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|dig',
      deep,
      'M3|O1>W1|E|T1|P1|F|E16|0|S1|-|desc=max_depth',
    ]);
    expect(project.prompts('bob')).toHaveLength(0);
  });

  long('fails without a word with E99, and lets a person decide what is logic', async () => {
    const project = await withWorkers({
      ada: { steps: [{ exit: 3 }] },
      bob: one('M2|W2>O1|E|T2|P1|F|E40|0|S2|-|desc=no such ticket'),
    });
    const silent = await run(project, 'x', '--to', 'ada');
    expect(silent.json.task).toMatchObject({ state: 'F', error: { code: 'E99' }, attempts: 1 });
    const logic = await run(project, 'x', '--to', 'bob');
    expect(logic.json.task).toMatchObject({ error: { code: 'E40', text: 'no such ticket' } });
    expect((await project.exchange('T2')).at(-1)).toBe('M3|O1>User|E|T2|P1|F|E40|0|S2|-|desc=no such ticket');
  });

  long('refuses lines about something else', async () => {
    const project = await withWorkers({
      ada: {
        steps: [{ say: 'M2|W1>O1|S|T1|P1|D|-|0|S9|-|x=1' }, { say: 'M2|W1>O1|S|T1|P1|X|-|0|S2|-|x=1' }],
      },
    });
    expect((await run(project, 'a')).json.task.error?.code).toBe('E42');
    expect((await run(project, 'b')).json.task.error?.code).toBe('E40');
    expect((await run(project, 'lies #REF:T77:S')).json.task.error?.code).toBe('E43');
    expect((await run(project, 'c', '--needs', 'flying')).json.task.error?.code).toBe('E19');
  });

  long('tells how far it is while its worker is at work', async () => {
    const updates = ['10%', '50%'].map((far, at) => `M${at + 2}|W1>O1|U|T1|P1|R|-|0|S1|-|progress=${far}`);
    const project = await withWorkers({ ada: { steps: [{ say: updates.join('\n'), stay: true }] } });
    const running = project.launch(['task', 'run', 'Count']);
    await poll(() => running.output()).toContain('T1: 50%');
    await poll(async () => (await project.council(['task', 'show', 'T1'])).stdout).toContain(
      'ada works on it: 50%',
    );
    const { json } = await project.council<Shown>(['task', 'show', 'T1', '--json']);
    expect(json.task).toMatchObject({ state: 'R', progress: '50%' });
    await project.council(['task', 'cancel', 'T1']);
    await running.ended;
    const over = (await project.council<Shown>(['task', 'show', 'T1', '--json'])).json.task;
    expect(over).toMatchObject({ state: 'X', progress: null });
  });

  it('is cancelled at once, with everything that its worker has started', async () => {
    const project = await withWorkers({ ada: { steps: [{ stay: true }] } });
    const running = project.launch(['task', 'run', 'warte', '--json']);
    await poll(() => fileOf(project, 'scripts/ada-pids')).not.toBe('');
    const pids = fileOf(project, 'scripts/ada-pids').split(' ').map(Number);
    const { json } = await project.council<Shown>(['task', 'cancel', 'T1', '--json']);
    expect(json.task.state).toBe('X');
    for (const pid of pids) await poll(() => isThere(pid)).toBe(false);
    expect((await running.ended).code).toBe(1);
  });

  long('that is cancelled says nothing about its worker, and has one end in the audit trail', async () => {
    const project = await withWorkers({ ada: { steps: Array.from({ length: 3 }, () => ({ stay: true })) } });
    for (const id of ['T1', 'T2', 'T3']) {
      const running = project.launch(['task', 'run', 'warte']);
      await poll(async () => (await project.council(['task', 'show', id])).stdout).toContain(
        'ada works on it',
      );
      await poll(() => project.prompts('ada').length).toBe(Number(id.slice(1)));
      await project.council(['task', 'cancel', id]);
      await running.ended;
    }
    expect(fileOf(project, 'memory/shared/.versions/.health/agents.md')).not.toContain('failures');
    const { json } = await project.council<{ entries: { what: string }[] }>(['audit', '--json']);
    expect(json.entries.filter(({ what }) => what === 'task.ended')).toHaveLength(3);
    const health = await project.council<{ agents: object[] }>(['agents', 'health', 'ada', '--json']);
    expect(health.json.agents).toMatchObject([{ status: 'Healthy', error_rate: null }]);
  });

  long('is done again by hand, and never when it was done', async () => {
    const project = await withWorkers({ ada: { steps: [{ exit: 1 }, { say: 'ok' }] } });
    expect((await run(project, 'x')).code).toBe(1);
    const again = await project.council<Shown>(['task', 'retry', 'T1', '--json']);
    expect(again.json.task).toMatchObject({ state: 'D', result: 'ok' });
    expect((await project.council(['task', 'retry', 'T1'])).code).toBe(1);
    expect(project.prompts('ada')).toHaveLength(2);
  });

  it('gets the results that it depends on, each once', async () => {
    const long = `# Ergebnis\n\n${'Zeile mit Umlauten äöü.\n'.repeat(20)}`;
    const project = await withWorkers({ ada: { steps: [{ say: long }, { say: 'kurz' }] } });
    await run(project, 'erste');
    const second = await run(project, 'fasse #REF:T1:S zusammen', '--after', 'T1');
    expect(second.json.task).toMatchObject({ id: 'T2', after: ['T1'], result: 'kurz' });
    const prompt = project.prompts('ada')[1] ?? '';
    expect(prompt.split('# Ergebnis')).toHaveLength(2);
    expect((await project.exchange('T1'))[1]).toBe('M2|W1>O1|S|T1|P1|D|-|0|S1|-|result=#REF:T1:S');
  });
});

describe('a risky worker', () => {
  const risky = (...steps: ScriptedWorker['steps']): ScriptedWorker => ({ steps, council: 'risk: high' });
  interface Listed {
    approvals: { id: string; status: string; operation: string; requester: string }[];
  }
  const pending = async ({ council }: Scripted) =>
    (await council<Listed>(['approvals', 'list', '--json'])).json.approvals.filter(
      ({ status }) => status === 'pending',
    );

  it('is launched once a person has approved, and not before', async () => {
    const project = await withWorkers({ ada: risky({ say: 'fertig' }) });
    const running = project.launch(['task', 'run', 'lösche alte Zweige', '--json']);
    await poll(async () => (await pending(project)).length).toBe(1);
    expect(project.prompts('ada')).toHaveLength(0);
    const [request] = await pending(project);
    expect(request).toMatchObject({ operation: 'launch ada', requester: 'ada' });
    expect((await project.council(['approvals', 'approve', request?.id ?? ''])).code).toBe(0);
    expect((await running.ended).code).toBe(0);
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|lösche alte Zweige',
      'M2|W1>O1|S|T1|P1|D|-|0|S1|-|fertig',
    ]);
  });

  it('is never launched when a person says no, and ends in X', async () => {
    const project = await withWorkers({ ada: risky({ say: 'x' }) });
    const running = project.launch(['task', 'run', 'x', '--json']);
    await poll(async () => (await pending(project)).length).toBe(1);
    const [request] = await pending(project);
    await project.council(['approvals', 'reject', request?.id ?? '', '--reason', 'not on a Friday']);
    const { code, json } = (await running.ended) as { code: number; json: Shown };
    expect(code).toBe(1);
    expect(json.task).toMatchObject({ state: 'X', attempts: 0 });
    expect(json.task.error?.text).toContain('not on a Friday');
    expect(project.prompts('ada')).toHaveLength(0);
  });

  long('ends in X when nobody decides in time', async () => {
    const project = await withWorkers({ ada: risky({ say: 'x' }) });
    project.write('COUNCIL.md', '---\napprovalTimeout: 1s\n---\n');
    const { code, json } = await run(project, 'x');
    expect(code).toBe(1);
    expect(json.task.state).toBe('X');
    expect(project.prompts('ada')).toHaveLength(0);
  });

  long('asks anew when what was approved has changed meanwhile', async () => {
    const project = await withWorkers({ ada: risky({ say: 'x' }) });
    project.write('list.txt', 'one\n');
    const running = project.launch(['task', 'run', 'x', '--context', 'list.txt', '--json']);
    await poll(async () => (await pending(project)).length).toBe(1);
    const [first] = await pending(project);
    project.write('list.txt', 'one\ntwo\n');
    await project.council(['approvals', 'approve', first?.id ?? '']);
    await poll(async () => (await pending(project))[0]?.id ?? first?.id).not.toBe(first?.id);
    expect(project.prompts('ada')).toHaveLength(0);
    const [second] = await pending(project);
    await project.council(['approvals', 'approve', second?.id ?? '']);
    expect((await running.ended).code).toBe(0);
    expect(project.prompts('ada')[0]).toContain('two');
  });

  long('asks anew when the plan says meanwhile that it may write', async () => {
    const project = await withWorkers({ ada: risky({ say: 'x' }) });
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=Zoë', '-c', 'user.email=z@example.org', ...args], {
        cwd: project.root,
        env: project.env,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'Begin');
    project.write('PLAN.md', '- T1: Tidy up\n');
    const first = project.launch(['task', 'plan', 'PLAN.md']);
    await poll(async () => (await pending(project)).map(({ id }) => id)).toEqual(['a1']);
    first.child.kill('SIGINT');
    await first.ended;
    project.write('PLAN.md', '- T1: Tidy up\n  - isolate: worktree\n');
    await project.council(['approvals', 'approve', 'a1']);
    const second = project.launch(['task', 'plan', 'PLAN.md']);
    await poll(async () => (await pending(project)).map(({ id }) => id)).toEqual(['a2']);
    expect(project.prompts('ada')).toHaveLength(0);
    const { stdout } = await project.council(['approvals', 'show', 'a2']);
    expect(stdout).toContain('isolate: worktree\nreadOnly: false');
    expect(stdout).toContain('cwd: git worktree of S1/T1');
    await project.council(['approvals', 'approve', 'a2']);
    expect((await second.ended).code).toBe(0);
    expect(project.prompts('ada')[0]).toContain('git worktree');
  });

  it('whose instruction nobody could read to its end is not launched, and stops nobody else', async () => {
    const project = await withWorkers({ ada: risky({ say: 'x' }), ben: { steps: [{ say: 'y' }] } });
    project.write('PLAN.md', `- T1: ${'ja '.repeat(30_000)}\n  - to: ada\n- T2: Read\n  - to: ben\n`);
    const { code, json } = await project.council<{ tasks: { state: string; error: { text: string } }[] }>([
      'task',
      'plan',
      'PLAN.md',
      '--json',
    ]);
    expect(code).toBe(1);
    expect(json.tasks.map(({ state }) => state)).toEqual(['F', 'D']);
    expect(json.tasks[0]?.error.text).toContain('nobody could read it');
  });
});

describe('several workers', () => {
  long('leave one alone that has failed three times in a row, and try it once after its pause', async () => {
    const project = await withWorkers({ ada: { steps: [{ exit: 1 }] } });
    for (let n = 0; n < 3; n++) expect((await run(project, 'x')).json.task.error?.code).toBe('E99');
    expect((await run(project, 'x')).json.task).toMatchObject({ error: { code: 'E30' }, attempts: 0 });
    expect(project.prompts('ada')).toHaveLength(3);
    const health = project.read('memory/shared/.versions/.health/agents.md').toString();
    expect(health).toContain('"failures": 3');
  });

  it('play a plan in its order, and nothing of it twice', async () => {
    const project = await withWorkers({ ada: one('a'), bob: one('b') });
    project.write(
      'PLAN.md',
      '# Plan\n\n- T1: erstens\n- T2: zweitens\n  - after: T1\n  - priority: P0\n- T3: drittens\n  - to: bob\n  - after: T1, T2\n',
    );
    const first = await project.council<{ tasks: Shown['task'][] }>(['task', 'plan', 'PLAN.md', '--json']);
    expect(first.json.tasks.map(({ id, state }) => `${id} ${state}`)).toEqual(['T1 D', 'T2 D', 'T3 D']);
    const launches = project.prompts('ada').length + project.prompts('bob').length;
    const again = await project.council<{ tasks: Shown['task'][] }>(['task', 'plan', 'PLAN.md', '--json']);
    expect(again.json.tasks).toEqual(first.json.tasks);
    expect(project.prompts('ada').length + project.prompts('bob').length).toBe(launches);
    expect(first.json.tasks[2]?.worker).toBe('bob');
  });

  long('have one report of all: what each found, what is missing, and the sources', async () => {
    const project = await withWorkers({
      ada: { steps: [{ say: '# Agent Report: ada\n\n## Results\n\nPrice: 10 EUR\n' }] },
      bob: { steps: [{ say: '# Agent Report: bob\n\n## Results\n\nPrice: 12 EUR\n' }, { exit: 1 }] },
    });
    project.write(
      'PLAN.md',
      '- T1: one\n  - to: ada\n- T2: two\n  - to: bob\n- T3: three\n  - to: bob\n  - after: T2\n',
    );
    await project.council(['task', 'plan', 'PLAN.md']);
    const shown = await project.council<{ session: string; report: string; tasks: unknown[] }>([
      'task',
      'show',
      's1',
      '--json',
    ]);
    expect(shown.json).toMatchObject({ session: 'S1', plan: 'PLAN.md' });
    expect(shown.json.tasks).toHaveLength(3);
    expect(shown.json.report).toMatch(/Price: 10 EUR \(T1, memory\/reports\/ada_\S+\); 12 EUR \(T2, /);
    expect(shown.json.report).toContain('Partial');
    expect((await project.council(['task', 'show', 'S1'])).stdout.trim()).toBe(shown.json.report.trim());
    expect(await project.council(['task', 'show', 'S9'])).toMatchObject({ code: 2 });
  });

  long('stop where something failed, and go on when that was mended', async () => {
    const project = await withWorkers({ ada: { steps: [{ exit: 1 }, { say: 'ok' }] } });
    project.write('PLAN.md', '- T1: erstens\n- T2: zweitens\n  - after: T1\n');
    const first = await project.council<{ tasks: Shown['task'][] }>(['task', 'plan', 'PLAN.md', '--json']);
    expect(first.code).toBe(1);
    expect(first.json.tasks.map(({ state }) => state)).toEqual(['F', 'N']);
    expect((await project.council(['task', 'retry', 'T1'])).code).toBe(0);
    expect((await project.council<Shown>(['task', 'show', 'T2', '--json'])).json.task.state).toBe('D');
  });

  it('are taken up by a tick when their player was killed, and do nothing twice', async () => {
    const project = await withWorkers({
      ada: { steps: [{ stay: true }, { say: 'fertig' }] },
      bob: { steps: [{ say: 'b' }] },
    });
    project.write('PLAN.md', '- T1: lang\n  - to: ada\n- T2: kurz\n  - to: bob\n');
    const running = project.launch(['task', 'plan', 'PLAN.md']);
    await poll(() => fileOf(project, 'scripts/ada-pids')).not.toBe('');
    await poll(
      async () => (await project.council<Shown>(['task', 'show', 'T2', '--json'])).json.task.state,
    ).toBe('D');
    running.child.kill('SIGKILL');
    await running.ended;
    expect((await project.council(['task', 'list'])).stdout).toContain('T1: goes on with the next tick');
    expect((await project.council(['tick', '--until-idle'])).code).toBe(0);
    const { json } = await project.council<{ tasks: Shown['task'][] }>(['task', 'list', '--json']);
    expect(json.tasks.map(({ state, attempts }) => ({ state, attempts }))).toEqual([
      { state: 'D', attempts: 2 },
      { state: 'D', attempts: 1 },
    ]);
    for (const pid of fileOf(project, 'scripts/ada-pids').split(' ').map(Number))
      await poll(() => isThere(pid)).toBe(false);
  });

  long('keep the exchange as messages and the result as a report', async () => {
    const project = await withWorkers({ ada: one('# Bericht\n\nAlles gut.') });
    await run(project, 'x');
    const { json } = await project.council<{ messages: { text: string; from: string }[] }>([
      'channel',
      'show',
      'task-s1-t1',
      '--json',
    ]);
    // Names of one second sort by sender.
    expect(json.messages.map(({ from, text }) => `${from}: ${text}`).toSorted()).toEqual([
      'ada: result=#REF:T1:S',
      'orchestrator: x',
    ]);
    const shown = await project.council<{ task: { report: string } }>(['task', 'show', 'T1', '--json']);
    expect(shown.json.task.report).toMatch(/^memory\/reports\/ada_\d{8}_\d{6}\.md$/);
    expect(project.read(shown.json.task.report).toString()).toContain('Alles gut.');
  });
});
