// Conversations with workers that keep to the rules, and with those that do not.
import { describe, expect, it } from 'vitest';
import { codecs } from '../../../src/team/messages/codecs/codecs.ts';
import type { Message } from '../../../src/team/messages/message.ts';
import { playScene } from '../../../src/team/tasks/play-scene.ts';
import { SCENES } from '../../../src/team/tasks/worker-scenes.ts';
import type { Scene } from '../../../src/team/tasks/worker-scenes.ts';

type Worker = (
  asked: Message,
  line: (type: string, rest?: Partial<Record<string, string>>) => string,
) => string[];

/** The codes of what a worker gets wrong in a conversation. */
function codesOf(scene: Scene, worker: Worker): string[] {
  const play = playScene(scene, { isForgetful: false });
  let number = 100;
  for (let told: string | null | undefined = play.next(); typeof told === 'string';) {
    const read = codecs.v5.decode(told);
    if (!read.ok) throw new Error(told);
    const { from, to, task, depth, context } = read.value;
    const rows = worker(read.value, (type, rest = {}) => {
      const { route = `${to}>${from}`, state = type === 'E' ? 'F' : type === 'S' ? 'D' : 'R' } = rest;
      const {
        tid = task,
        error = '-',
        deep = String(depth),
        ctx = context,
        budget = '-',
        data = 'x=1',
      } = rest;
      return `M${++number}|${route}|${type}|${tid}|P1|${state}|${error}|${deep}|${ctx}|${budget}|${data}`;
    });
    told = undefined;
    for (const row of rows) told = play.hear(row) ?? told;
  }
  play.end({ failure: null, isLate: false });
  return play.faults.map(({ code }) => code);
}

const [broken] = SCENES.filter(({ isBroken }) => isBroken);

describe.each(SCENES.filter((scene) => scene !== broken).map((scene) => [scene.name, scene] as const))(
  'in %s',
  (_, scene) => {
    it.each<[string, Worker]>([
      ['answers', (_asked, line) => [line('S')]],
      ['tells how far it is, and answers', (_asked, line) => [line('U'), line('S')]],
      ['fails with a code', (_asked, line) => [line('E', { error: 'E33' })]],
      [
        'asks, and answers',
        ({ body = '' }, line) => [
          body.startsWith('answer=') ? line('S') : line('C', { data: 'question=which?;options=a,b' }),
        ],
      ],
      [
        'has somebody choose',
        ({ body = '' }, line) => [
          body.startsWith('answer=') ? line('S') : line('D', { data: 'question=which?;opt1=a;opt2=b' }),
        ],
      ],
    ])('a worker is right that %s', (_name, worker) => expect(codesOf(scene, worker)).toEqual([]));

    it.each<[string, Worker, string]>([
      ['answers in another session', (_asked, line) => [line('S', { ctx: 'S99' })], 'E42'],
      [
        'answers from another depth',
        ({ depth = 0 }, line) => [line('S', { deep: String((depth + 2) % 6) })],
        'E16',
      ],
      ['answers somebody else', ({ to }, line) => [line('S', { route: `${to}>O9` })], 'E13'],
      ['says that its success failed', (_asked, line) => [line('S', { state: 'F' })], 'E15'],
      ['fails without a code', (_asked, line) => [line('E')], 'E10'],
      ['gives tasks', ({ to }, line) => [line('R', { state: 'N', route: `${to}>O1` })], 'E13'],
      ['draws its line bold', (_asked, line) => [`**${line('S')}**`], 'E10'],
      ['says two things', (_asked, line) => [line('S'), line('S')], 'E15'],
      ['says nothing', () => [], 'E10'],
      ['asks for ever', (_asked, line) => [line('C', { data: 'question=which?' })], 'E18'],
      [
        'hands on without going deeper',
        ({ to }, line) => [line('X', { route: `${to}>W9`, deep: '0', data: 'call=x' })],
        'E16',
      ],
    ])('a worker is told that %s', (_name, worker, code) => expect(codesOf(scene, worker)).toContain(code));
  },
);

it('is told where it takes a broken line for right, which is no fault', () => {
  const say = (row: string) => {
    const play = playScene(broken!, { isForgetful: false });
    play.hear(row);
    play.end({ failure: null, isLate: false });
    return { faults: play.faults, advice: play.advice.length };
  };
  expect(say('M1|W1>O1|E|-|-|F|E10|0|-|-|desc=format')).toEqual({ faults: [], advice: 0 });
  expect(say('M9|W1>O1|S|T1|P1|D|-|0|S1|-|results=5')).toEqual({ faults: [], advice: 1 });
  expect(say('')).toEqual({ faults: [], advice: 1 });
});

it('registers, is answered in the version that both speak, and then answers', () => {
  const join = (offer: string) => {
    const play = playScene(SCENES[0]!, { isForgetful: false });
    const told = play.hear(`M9|W1>O1|J|T0|P1|N|-|0|S0|-|caps=web_search;${offer}`);
    play.hear('M10|W1>O1|S|T1|P1|D|-|0|S1|-|results=5');
    play.end({ failure: null, isLate: false });
    return [told?.split('|').slice(2, 4).join(' '), told?.split('|').at(-1), ...play.faults];
  };
  expect(join('version=V5;fallback=V4')).toEqual(['A T0', 'registered;id=W1;version=V5']);
  expect(join('version=V4')).toEqual(['A T0', 'registered;id=W1;version=V4']);
  expect(join('version=V9')).toEqual(['E T0', 'desc=version']);
});

it('answers a prompt with a report, which is told; other words are no answer', () => {
  const said = (text: string, isForgetful: boolean) => {
    const play = playScene(SCENES[0]!, { isForgetful });
    for (const row of text.split('\n')) play.hear(row);
    play.end({ failure: null, isLate: false });
    return play.faults.map(({ code }) => code);
  };
  const report = '# Agent Report: ada\n**Task**: news\n**Status**: ✅ Success\n\n## Results\n\nFive.';
  expect(said(report, true)).toEqual([]);
  expect(said(report, false)).toEqual(['E10']);
  expect(said('Five results.', true)).toEqual(['E10']);
});

it('hands on, and is held to telling the orchestrator', () => {
  const hands =
    (tells: boolean): Worker =>
    ({ to, kind }, line) =>
      kind === 'request'
        ? [
            line('X', { route: `${to}>W2`, deep: '1', data: 'call=generate_tests' }),
            ...(tells ? [line('U', { data: 'handoff=W2' })] : []),
          ]
        : [line('S', { route: `${to}>O1`, deep: '0' })];
  expect(codesOf(SCENES[0]!, hands(true))).toEqual([]);
  expect(codesOf(SCENES[0]!, hands(false))).toEqual(['E10']);
});
