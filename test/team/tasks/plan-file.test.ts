import { describe, expect, it } from 'vitest';
import { readDecidedActions } from '../../../src/core/archive/decided-actions.ts';
import { readPlan } from '../../../src/team/tasks/plan-file.ts';

const read = (text: string) => readPlan(text, 'PLAN.md');

describe('a plan', () => {
  it('is read as people write it', () => {
    const text = [
      '\uFEFF# Der Plan',
      '',
      'Ein paar Worte.',
      '- T1: Lies `src/queue.ts`: was hält auf?',
      '  und sag es in einem Satz',
      '  - needs: code_read, code_read,reason',
      '* [ ] **T2**: Schreib den Test',
      '    * After: T1',
      '    * priority: p0',
      '    * budget: B500',
      '    * to: coder',
      '  - T9 ist keine Aufgabe',
      '',
      '- [x] T12: schon erledigt?',
      '  - after: T1,T2',
    ].join('\r\n');
    expect(read(text)).toEqual([
      {
        id: 'T1',
        text: 'Lies `src/queue.ts`: was hält auf?\nund sag es in einem Satz',
        needs: ['code_read', 'reason'],
        after: [],
        to: null,
        priority: 'normal',
        budget: null,
      },
      {
        id: 'T2',
        text: 'Schreib den Test\n- T9 ist keine Aufgabe',
        needs: [],
        after: ['T1'],
        to: 'coder',
        priority: 'critical',
        budget: 500,
      },
      expect.objectContaining({ id: 'T12', after: ['T1', 'T2'] }),
    ]);
  });

  it('says where each task works, and how risky and how long it may be', () => {
    const [task] = read('- T1: Write it\n  - isolate: Worktree\n  - risk: medium\n  - timeout: 90s\n');
    expect(task).toMatchObject({ isolate: 'worktree', risk: 'medium', timeout: 90_000, text: 'Write it' });
  });

  it('tells of what may be an option that is misspelt', () => {
    const notes: string[] = [];
    const text =
      '- T1: Read\n  - afer: T2\n  - Need: dig\n  - note: fine\n  - do: it\n  - https://example.org\n';
    const [task] = readPlan(text, 'PLAN.md', (line) => notes.push(line));
    expect(notes).toEqual([
      'PLAN.md, line 2: read as text of T1. Was after: meant?',
      'PLAN.md, line 3: read as text of T1. Was needs: meant?',
    ]);
    expect(task?.text).toContain('- afer: T2');
  });

  it.each([
    ['- T1: x\n  - isolate: yes', /line 2: isolate is "yes", and none of none, worktree/],
    ['- T1: x\n  - risk: huge', /line 2: risk is "huge"/],
    ['- T1: x\n  - timeout: soon', /line 2: the timeout "soon" is no duration/],
    ['nothing here', /holds no task/],
    ['- T1: a\n- T1: b', /line 2: T1 is there twice/],
    ['- T1:', /T1 says nothing/],
    ['- T1: a\n  - after: T2', /T1 comes after T2, which is not in the plan/],
    ['- T1: a\n  - after: T2\n- T2: b\n  - after: T1\n- T3: c', /wait for each other: T1, T2/],
    ['- T1: a\n  - budget: viel', /line 2: the budget "viel"/],
    ['- T1: a\n  - priority: P7', /line 2: the priority "P7"/],
    ['- T1000: a', /T1000 is no id/],
  ])('is refused with the place: %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('of 999 tasks in layers is checked at once', () => {
    const rows = Array.from({ length: 999 }, (_, at) =>
      at < 10
        ? `- T${at + 1}: x`
        : `- T${at + 1}: x\n  - after: ${[...Array(10).keys()].map((n) => `T${at - n}`).join(', ')}`,
    );
    expect(read(rows.join('\n'))).toHaveLength(999);
  });
});

describe('what a council has decided', () => {
  it('becomes tasks, each for whom it names where that is an agent', () => {
    const synthesis =
      '### Decision\nUse PostgreSQL.\n\n### Next actions\n- **coder**: write the migration\n  by Friday\n- ana: ask the others\n1. Check the backup\n  - needs: file_ops\n  - after: T1\n\n### Minority\n- none';
    const tasks = readDecidedActions(synthesis, 'Which queue?', (id) => id === 'coder');
    expect(
      tasks.map(({ id, to, text, needs, after }) => ({ id, to, text: text.split('\n')[0], needs, after })),
    ).toEqual([
      { id: 'T1', to: 'coder', text: 'write the migration by Friday', needs: [], after: [] },
      { id: 'T2', to: null, text: 'ana: ask the others', needs: [], after: [] },
      { id: 'T3', to: null, text: 'Check the backup', needs: ['file_ops'], after: ['T1'] },
    ]);
    expect(tasks[0]?.text).toContain('(Which queue? Use PostgreSQL.)');
  });

  it('is done again by nobody where it is ticked off, in sections of other names too', () => {
    for (const heading of ['Next steps', 'Action items', 'Prochaines étapes']) {
      const synthesis = `## ${heading}\n\n- [x] Ask the others\n- [ ] Write it\n  - after: T1\n2. [X] Read it\n- Send it\n  - after: T2, T3\n`;
      const tasks = readDecidedActions(synthesis, 'Which queue?', () => false);
      expect(tasks.map(({ id, text, after }) => [id, text.split('\n')[0], after])).toEqual([
        ['T2', 'Write it', []],
        ['T4', 'Send it', ['T2']],
      ]);
    }
  });

  it('is nothing where the synthesis names no actions', () => {
    expect(readDecidedActions('### Decision\nWait.', 'x', () => true)).toEqual([]);
  });
});
