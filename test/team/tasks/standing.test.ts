import { expect, it } from 'vitest';
import { loadWords } from '../../../src/core/base/words/words.ts';
import { buildTask } from '../../../src/team/tasks/task.ts';
import type { Task } from '../../../src/team/tasks/task.ts';
import { describeStanding } from '../../../src/team/tasks/use/news.ts';

const AT = '2026-01-05T10:00:00.000Z';
const first = buildTask({ id: 'T1', session: 'S1', text: 'x' }, AT);
const lost: Task = { ...first, state: 'F', error: { code: 'E04', text: 'no  file' } };
const question: Task['question'] = {
  ...{ text: 'Which?', options: ['a', 'b'], of: 'human', until: null, message: null },
};

const STANDINGS: [Partial<Task>, string, string][] = [
  [{ state: 'D', worker: 'ana', result: 'x' }, 'done by ana, 1 character', 'fait par ana, 1 caractère'],
  [{ state: 'D', result: 'xyz' }, 'done, 3 characters', 'fait, 3 caractères'],
  [{ state: 'X', error: { code: 'E08', text: 'gone' } }, 'cancelled (E08): gone', 'annulée (E08) : gone'],
  [{ state: 'X', error: { code: 'E00', text: 'cancelled by ana' } }, 'cancelled by ana', 'cancelled by ana'],
  [{ state: 'X', error: { code: 'E00', text: 'gone' } }, 'cancelled: gone', 'annulée : gone'],
  [{ state: 'X' }, 'cancelled', 'annulée'],
  [
    { state: 'F', error: { code: 'E04', text: 'no  file' } },
    'failed (E04): no file',
    'en échec (E04) : no file',
  ],
  [
    { paused: true },
    'is paused; go on with: council task resume S1/T2',
    'en pause ; pour la reprendre : council task resume S1/T2',
  ],
  [
    { question },
    'asks: Which? (1 a, 2 b); answer with: council task answer S1/T2 ANSWER',
    'demande : Which? (1 a, 2 b) ; pour répondre : council task answer S1/T2 RÉPONSE',
  ],
  [
    { approval: 'A1' },
    'waits for the approval A1: council approvals approve A1',
    'attend l’autorisation A1 : council approvals approve A1',
  ],
  [{ waitsFor: 'T2.1' }, 'waits for T2.1, which was handed on', 'attend T2.1, qui a été confiée à un autre'],
  [{ notBefore: AT }, 'is tried again soon', 'sera bientôt retentée'],
  [{ state: 'R', worker: 'ana' }, 'goes on with the next tick', 'reprend au prochain tick'],
  [{ after: ['T1'] }, 'waits for T1, which failed', 'attend T1, en échec'],
  [{}, 'waits for its turn', 'attend son tour'],
];

it.each(STANDINGS)('is said of a task in both languages: %j', (over, english, french) => {
  const task: Task = { ...first, id: 'T2', ...over };
  expect(describeStanding(task, [lost, task])).toBe(english);
  expect(describeStanding(task, [lost, task], undefined, loadWords('fr'))).toBe(french);
});

it('says of work who does it, how far it is, and which labels nothing has', () => {
  const lease = { lease: { worker: 'w' } } as unknown as Partial<Task>;
  const works: Task = { ...first, ...lease, state: 'R', worker: 'ana' };
  const fr = loadWords('fr');
  expect(describeStanding(works)).toBe('ana works on it');
  expect(describeStanding({ ...works, progress: '50 %' })).toBe('ana works on it: 50 %');
  expect(describeStanding({ ...works, progress: '50 %' }, [], undefined, fr)).toBe('ana y travaille : 50 %');
  expect(describeStanding(first, [], ['gpu', 'mac'])).toBe('waits: no heartbeat has gpu, or mac');
  expect(describeStanding(first, [], ['gpu', 'mac'], fr)).toBe('attend : aucun heartbeat n’a gpu, ou mac');
});
