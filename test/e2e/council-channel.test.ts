import { expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { addSpeaker } from '../helpers/speakers.ts';

interface Messages {
  messages: { from: string; text: string }[];
}

it('hears of a council what happens, and nothing of what is said', async () => {
  const project = await newProject();
  const { council } = project;
  addSpeaker(project, 'ada', { COLLECT: { say: 'A secret position.\n' } });
  await council(['agents', 'add', 'ben', '--runner', 'human']);
  const start = [
    'start',
    'Build or buy?',
    '--agents',
    'ada,ben',
    '--coordinator',
    'none',
    '--mode',
    'analysis',
    '--trust',
  ];
  expect((await council(start)).code).toBe(0);
  await council(['tick']);
  await council(['respond', 'ben'], { input: 'Another secret.\n' });
  const show = ['channel', 'show', 'council-active-conversation', '--json'];
  const texts = async () => (await council<Messages>(show)).json.messages.map(({ text }) => text);
  expect(await texts()).toEqual([
    expect.stringMatching(/^COLLECT \(round 1\) of "Build or buy\?" is open until \S+ @ben$/),
    'Has contributed: ada.',
    'Has contributed: ben.',
  ]);
  await council(['cancel', '--why', 'enough']);
  expect((await texts()).at(-1)).toMatch(/^Archived: conseils\//);
  expect((await texts()).join(' ')).not.toMatch(/secret/i);
});
